/**
 * Writes customers while parts of the service are killed, and compares the stored data and events with the acknowledged
 * writes. Used by kill-customers.ts and its short twin.
 */
import { randomUUID } from 'node:crypto';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import type { PartName, Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { type FinalAnswer, PatientClient } from './patient-client.ts';

export const VICTIMS: readonly PartName[] = ['api', 'salesCustomersWorker', 'temporal', 'mongod', 'eventsWorker'];

export interface Books {
  readonly acknowledged: number;
  /** Differences from the acknowledged writes; empty when all is correct. */
  readonly faults: readonly string[];
  readonly events: number;
  readonly kills: number;
  /** Attempts without a final answer. */
  readonly repeats: number;
}

interface Written {
  readonly number: string;
  readonly email: string;
  updates: number;
  converted: boolean;
  readonly temporary: boolean;
}

interface FeedEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly sequence: number;
}

const WRITERS = 6;
const NEXT_KILL_MS = 600_000;
const FEED_TIMEOUT_MS = 60_000;
const SCOPES = ['profiles:read', 'profiles:write', 'events:read'];
const BY = { changedBy: 'kill run', changedByChannel: 'test' };

export class CustomerWrites {
  readonly #service: Service;
  readonly #written: Written[] = [];
  readonly #faults: string[] = [];
  readonly #client: PatientClient;
  #acknowledged = 0;
  #kills = 0;

  constructor(service: Service) {
    this.#service = service;
    this.#client = new PatientClient(service, SCOPES);
  }

  /** Kills the victims in turn, spread evenly over the writes. */
  async run(writes: number, victims: readonly PartName[]): Promise<Books> {
    await this.#client.logIn();
    let next = 0;
    const killAt = victims.map((_, at) => Math.floor(((at + 1) * writes) / (victims.length + 1)));
    const writer = async (): Promise<void> => {
      while (next < writes) await this.#write(next++);
    };
    const saboteur = async (): Promise<void> => {
      for (const [at, victim] of victims.entries()) {
        await until(async () => next >= (killAt[at] ?? 0), { timeoutMs: NEXT_KILL_MS, what: 'the next kill' });
        await this.#service.kill(victim);
        this.#kills++;
        await this.#service.restart(victim);
      }
    };
    await Promise.all([saboteur(), ...Array.from({ length: WRITERS }, writer)]);
    await this.#check();
    const { length } = await this.#readFeed();
    const counts = {
      acknowledged: this.#acknowledged,
      events: length,
      kills: this.#kills,
      repeats: this.#client.repeats,
    };
    return { ...counts, faults: this.#faults };
  }

  /** Of ten writes, four are creations, two temporary profiles, two changes and two conversions. */
  async #write(index: number): Promise<void> {
    const kind = index % 10;
    const open = this.#written.find(({ temporary, converted }) => temporary && !converted);
    if (kind < 4) return await this.#create(index, false);
    if (kind < 6) return await this.#create(index, true);
    const permanent = this.#written.filter(({ temporary }) => !temporary);
    const changed = permanent[index % Math.max(1, permanent.length)];
    if (kind < 8 && changed) return await this.#change(changed);
    if (kind >= 8 && open) return await this.#convert(open);
    await this.#create(index, false);
  }

  async #create(index: number, temporary: boolean): Promise<void> {
    const email = `${randomUUID()}@example.org`;
    const by = { createdBy: 'kill run', createdByChannel: 'test', organisationId: 1 };
    const person = { firstName: 'Kari', surname: `Nummer ${index}`, email, ...by };
    const expirationDate = new Date(Date.now() + 86_400_000).toISOString();
    const [path, body] = temporary ? ['/profiles/temporary', { ...person, expirationDate }] : ['/profiles', person];
    const { status, json } = await this.#send('POST', path, body);
    if (status !== 201) return this.#fault(`creation ${index} answered ${status}: ${JSON.stringify(json)}`);
    this.#written.push({ number: String(json.customerNumber), email, updates: 0, converted: false, temporary });
  }

  async #change(written: Written): Promise<void> {
    const path = `/profiles/${written.number}`;
    const { status, json } = await this.#send('PATCH', path, { surname: `Endret ${randomUUID()}`, ...BY });
    if (status !== 200) return this.#fault(`a change of ${written.number} answered ${status}: ${JSON.stringify(json)}`);
    written.updates++;
  }

  async #convert(written: Written): Promise<void> {
    // Set before the request, so that no other writer converts the profile.
    written.converted = true;
    const path = `/profiles/temporary/${written.number}/convert`;
    const { status, json } = await this.#send('POST', path, { ...BY });
    if (status !== 200)
      return this.#fault(`the conversion of ${written.number} answered ${status}: ${JSON.stringify(json)}`);
    if (json.profileType !== 'PERMANENT') this.#fault(`${written.number} was converted and is ${json.profileType}`);
  }

  async #send(method: string, path: string, body: object): Promise<FinalAnswer> {
    const answer = await this.#client.send(`/customers/v2${path}`, { method, body });
    this.#acknowledged++;
    return answer;
  }

  #fault(text: string): void {
    this.#faults.push(text);
  }

  async #check(): Promise<void> {
    await this.#checkProfiles();
    await until(async () => (await this.#pendingOutboxes()) === 0, { timeoutMs: FEED_TIMEOUT_MS, what: 'the relay' });
    this.#checkEvents(await this.#readFeed());
  }

  async #checkProfiles(): Promise<void> {
    const connection = await connectMongo(this.#service.mongoUri);
    const stored = await connection.collection('customer_profiles').countDocuments();
    await connection.close();
    if (stored !== this.#written.length) {
      this.#fault(`${this.#written.length} creations were acknowledged, ${stored} profiles are there`);
    }
    for (const { number, email, temporary, converted } of this.#written) {
      const { status, json: profile } = await this.#client.send(`/customers/v2/profiles/${number}`);
      const type = temporary && !converted ? 'TEMPORARY' : 'PERMANENT';
      if (profile.email !== email || profile.profileType !== type) {
        this.#fault(`${number} should be ${type} with ${email}, and is ${status} ${JSON.stringify(profile)}`);
      }
    }
  }

  async #pendingOutboxes(): Promise<number> {
    const connection = await connectMongo(this.#service.mongoUri);
    const pending = await connection.collection('customer_profiles').countDocuments({ 'outbox.0': { $exists: true } });
    await connection.close();
    return pending;
  }

  async #readFeed(): Promise<readonly FeedEvent[]> {
    const events: FeedEvent[] = [];
    for (let after = 0; ; ) {
      const { json } = await this.#client.send(`/v1/events/customer-changed-dev?after=${after}&limit=500`);
      const page = json as { events: FeedEvent[]; nextOffset: number };
      events.push(...page.events);
      if (page.events.length === 0) return events;
      after = page.nextOffset;
    }
  }

  /**
   * Checks each customer's events: from 1 without a gap, in order, none twice. Each type occurs as often as
   * acknowledged.
   */
  #checkEvents(events: readonly FeedEvent[]): void {
    const bySubject = Map.groupBy(events, ({ subject }) => subject);
    if (new Set(events.map(({ id }) => id)).size !== events.length) this.#fault('an event is there twice');
    for (const { number, updates, converted, temporary } of this.#written) {
      const own = bySubject.get(number) ?? [];
      if (!own.every(({ sequence }, at) => sequence === at + 1)) {
        this.#fault(`the events of ${number} are numbered ${own.map(({ sequence }) => sequence).join(' ')}`);
      }
      const count = (name: string) => own.filter(({ type }) => type === `service.customer.${name}.v1`).length;
      const seen = [count('CustomerCreated'), count('CustomerUpdated'), count('CustomerConverted')].join(' ');
      const due = [1, updates, temporary && converted ? 1 : 0].join(' ');
      if (seen !== due) this.#fault(`${number}: created, updated, converted ${seen} times instead of ${due}`);
    }
  }
}
