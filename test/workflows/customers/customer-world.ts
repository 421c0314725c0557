/**
 * One customer in memory for the workflows of customers, with its own clock. Its activities can fail before or after
 * their effect, or wait.
 */
import type {
  ErasureActivities,
  ErasureRecords,
  TemporaryProfileRecords,
} from '../../../workflows/customers/activities.ts';
import type { CustomerInput } from '../../../workflows/customers/messages.ts';
import type { CustomerNumber, OrganisationId } from '../../../workflows/shared/ids.ts';

export type CustomerActivities = TemporaryProfileRecords & ErasureRecords & ErasureActivities;
export type CustomerActivityName = keyof CustomerActivities;
export type Fault = 'before' | 'after';

let made = 0;

export class CustomerWorld {
  readonly input: CustomerInput;
  state: 'TEMPORARY' | 'PERMANENT' | 'ENDING' | 'ERASED' = 'TEMPORARY';
  expiresAtMs: number;
  convertedBy: string | undefined;
  /** Refuses conversions with this code while the profile is active. */
  refuseConversion: 'DUPLICATE_EMAIL' | undefined;
  /** Data to erase. */
  key = true;
  content = true;
  readonly areas = new Map([
    ['answers', true],
    ['orders', true],
  ]);
  /** Events in the outbox. */
  readonly events: string[] = [];
  dueAtMs: number | undefined;
  /** Time of the expiry, by the world's clock. */
  expiredAtMs: number | undefined;
  readonly calls: CustomerActivityName[] = [];
  clock: () => Promise<number> = async () => Date.now();
  /** Called before the effect of each activity. */
  onCall: (name: CustomerActivityName) => Promise<void> = async () => {};
  readonly #faults = new Map<string, Error[]>();

  constructor(expiresAtMs = Number.POSITIVE_INFINITY) {
    made += 1;
    this.expiresAtMs = expiresAtMs;
    this.input = {
      organisationId: 1 as OrganisationId,
      customerNumber: String(1_000_000_000 + Math.floor(Math.random() * 8_000_000_000) + made) as CustomerNumber,
    };
  }

  breakOn(name: CustomerActivityName, when: Fault, ...errors: Error[]): void {
    this.#faults.set(`${name} ${when}`, errors);
  }

  callsOf(name: CustomerActivityName): number {
    return this.calls.filter((called) => called === name).length;
  }

  /** Marks the profile as the handler of a deletion does. */
  delete(): void {
    if (this.state === 'TEMPORARY' || this.state === 'PERMANENT') this.state = 'ENDING';
  }

  get isGone(): boolean {
    return !this.key && !this.content && ![...this.areas.values()].includes(true);
  }

  activities(): CustomerActivities {
    return {
      readStanding: this.#activity('readStanding', async () => {
        if (this.state === 'TEMPORARY') return { state: 'TEMPORARY' as const, expiresAtMs: this.expiresAtMs };
        return { state: this.state === 'ERASED' ? 'GONE' : this.state };
      }),
      expireProfile: this.#activity('expireProfile', () => this.#expire()),
      convertProfile: this.#activity('convertProfile', ({ conversionId }) => this.#convert(conversionId)),
      blockProfile: this.#activity('blockProfile', async () => {
        if (this.state === 'TEMPORARY' || this.state === 'PERMANENT') return 'ACTIVE' as const;
        return this.state === 'ERASED' ? ('GONE' as const) : ('BLOCKED' as const);
      }),
      destroyKey: this.#activity('destroyKey', async () => {
        this.key = false;
      }),
      removeContent: this.#activity('removeContent', async () => {
        this.content = false;
      }),
      listErasureAreas: this.#activity('listErasureAreas', async () => [...this.areas.keys()]),
      findLeftovers: this.#activity('findLeftovers', async () => [
        ...(this.key ? ['key'] : []),
        ...(this.content ? ['sealed'] : []),
      ]),
      markErased: this.#activity('markErased', async ({ dueAtMs }) => {
        this.dueAtMs = dueAtMs;
        if (this.state !== 'ERASED') this.events.push('CustomerErased');
        this.state = 'ERASED';
      }),
      eraseArea: this.#activity('eraseArea', async ({ area }) => {
        this.areas.set(area, false);
      }),
      isAreaErased: this.#activity('isAreaErased', async ({ area }) => this.areas.get(area) === false),
    };
  }

  async #expire(): Promise<'EXPIRED' | 'NOT_YET' | 'PERMANENT' | 'GONE'> {
    const now = await this.clock();
    if (this.state === 'PERMANENT') return 'PERMANENT';
    if (this.state === 'ERASED') return 'GONE';
    if (this.state === 'TEMPORARY' && this.expiresAtMs > now) return 'NOT_YET';
    this.state = 'ENDING';
    this.expiredAtMs ??= now;
    return 'EXPIRED';
  }

  async #convert(conversionId: string) {
    if (this.convertedBy === conversionId) return 'CONVERTED' as const;
    const now = await this.clock();
    if (this.state === 'PERMANENT') return 'PERMANENT' as const;
    if (this.state !== 'TEMPORARY' || this.expiresAtMs <= now) return 'EXPIRED' as const;
    if (this.refuseConversion) return this.refuseConversion;
    this.state = 'PERMANENT';
    this.convertedBy = conversionId;
    return 'CONVERTED' as const;
  }

  #activity<Name extends CustomerActivityName>(name: Name, effect: CustomerActivities[Name]): CustomerActivities[Name] {
    const run = async (...args: Parameters<CustomerActivities[Name]>) => {
      this.calls.push(name);
      await this.onCall(name);
      this.#throwNext(`${name} before`);
      const answer = await (effect as (...given: unknown[]) => Promise<unknown>)(...args);
      this.#throwNext(`${name} after`);
      return answer;
    };
    return run as unknown as CustomerActivities[Name];
  }

  #throwNext(point: string): void {
    const error = this.#faults.get(point)?.shift();
    if (error) throw error;
  }
}
