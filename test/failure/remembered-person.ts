/**
 * A customer of whom everything is told that can be told, in texts that stand nowhere else, through the API: profile and all it
 * holds, changed and removed, looked up and refused. Used by the test of what remains.
 */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Service } from '../support/service.ts';

export interface PersonTexts {
  /** What tells who somebody is: sealed wherever it is kept. */
  readonly personal: readonly string[];
  /** What else was told: gone with the profile. */
  readonly other: readonly string[];
}

type Members = Readonly<Record<string, unknown>>;

const SCOPES = [
  'profiles:read',
  'profiles:write',
  'profiles:authenticate',
  'consents:read',
  'consents:write',
  'events:read',
];
const CHANNEL = 'SVC:DistributionChannel:PaymentPage';

export class RememberedPerson {
  readonly #service: Service;
  readonly #token: string;
  readonly #personal: string[] = [];
  readonly #other: string[] = [];
  customerNumber = '';

  static async meet(service: Service): Promise<RememberedPerson> {
    return new RememberedPerson(service, await service.token(SCOPES));
  }

  private constructor(service: Service, token: string) {
    this.#service = service;
    this.#token = token;
  }

  get texts(): PersonTexts {
    return { personal: this.#personal, other: this.#other };
  }

  async createPermanent(): Promise<void> {
    const body = { ...this.#profile(), ...this.#createdBy(), password: this.#text('password') };
    const { customerNumber } = await this.#ask('POST', '/profiles/', body, 201);
    this.customerNumber = String(customerNumber);
    const { email, customerRef } = this.#profile();
    for (const other of [{ email }, { customerRef }]) await this.#ask('POST', '/profiles/', { ...body, ...other }, 409);
    const username = String(body.email);
    await this.#ask('POST', '/profiles/authenticate', { username, password: body.password, organisationId: 1 }, 200);
    const wrong = { username, password: this.#text('wrong password'), organisationId: 1 };
    await this.#ask('POST', '/profiles/authenticate', wrong, 401);
  }

  async createTemporary(expirationDate: Date): Promise<void> {
    const body = { ...this.#profile(), ...this.#createdBy(), expirationDate: expirationDate.toISOString() };
    const { customerNumber } = await this.#ask('POST', '/profiles/temporary', body, 201);
    this.customerNumber = String(customerNumber);
  }

  /** Tells anew who the person is. */
  async convert(): Promise<void> {
    const { firstName, surname, email } = this.#profile();
    const body = { firstName, surname, email, password: this.#text('new password'), ...this.#changedBy() };
    await this.#ask('POST', `/profiles/temporary/${this.customerNumber}/convert`, body, 200);
  }

  /** Refused, since another profile has the address; what was prepared for it stays with the profile. */
  async convertInVain(emailOfAnother: string): Promise<void> {
    const { firstName, surname } = this.#profile();
    const body = { firstName, surname, email: emailOfAnother, ...this.#changedBy() };
    await this.#ask('POST', `/profiles/temporary/${this.customerNumber}/convert`, body, 409);
  }

  async change(type: 'PERMANENT' | 'TEMPORARY'): Promise<void> {
    const path = type === 'PERMANENT' ? '/profiles' : '/profiles/temporary';
    await this.#ask('PATCH', `${path}/${this.customerNumber}`, { ...this.#profile(), ...this.#changedBy() }, 200);
    if (type === 'PERMANENT') {
      const { customerNumber } = this;
      await this.#ask('PUT', `/profiles/${customerNumber}`, { ...this.#profile(), ...this.#changedBy() }, 200);
      const refused = { ...this.#profile(), email: this.#text('no address'), ...this.#changedBy() };
      await this.#ask('PATCH', `/profiles/${customerNumber}`, refused, 400);
    }
  }

  /** Everything that temporary profiles may hold too. */
  async addItems(): Promise<void> {
    const addresses = '/postal-addresses';
    const { id } = await this.#add(addresses, this.#address());
    await this.#ask('PUT', this.#below(`${addresses}/${id}`), this.#address(), 200);
    const removed = await this.#add(addresses, this.#address());
    await this.#ask('DELETE', this.#below(`${addresses}/${removed.id}`), undefined, 204);
    const key = this.#note(this.#other, `key-${randomUUID()}`);
    await this.#ask('PUT', this.#below(`/preferences/${key}`), { value: { seat: this.#text('seat') } }, 200, 201);
    await this.#ask('PUT', this.#below(`/preferences/${key}`), { value: [this.#text('meal')] }, 200);
    const consent = { consentCode: 'NEWSLETTER', consentChoice: true, distributionChannel: CHANNEL };
    const given = await this.#add('/consents', consent);
    await this.#ask('PUT', this.#below(`/consents/${given.id}`), { ...consent, consentChoice: false }, 200);
  }

  /** What only permanent profiles hold. */
  async addCards(): Promise<void> {
    const mediaSerialNumber = this.#note(this.#personal, digits(10));
    const card = { mediaSerialNumber, issuerCode: '123456', name: this.#text('card') };
    const { cardNumber } = await this.#add('/e-cards', card);
    this.#note(this.#personal, String(cardNumber));
    const programCode = this.#note(this.#other, `P${randomBytes(8).toString('hex').toUpperCase()}`);
    const membershipNumber = this.#note(this.#personal, `M${digits(14)}`);
    await this.#ask('POST', this.#below('/e-cards'), card, 409);
    await this.#add('/loyalty-programs', { programCode, membershipNumber, validFrom: '2026-01-01' });
  }

  /** By everything it can be found by; what is asked for stands in addresses, too. */
  async lookUp(profile: Members): Promise<void> {
    for (const name of ['firstName', 'surname', 'email', 'customerRef', 'dateOfBirth']) {
      const value = encodeURIComponent(String(profile[name]));
      await this.#ask('GET', `/profiles-search?${name}=${value}&includeTemporary=true`, undefined, 200);
    }
    await this.#ask('GET', `/profiles/${profile.customerRef}`, undefined, 200);
    const email = encodeURIComponent(String(profile.email));
    await this.#ask('GET', `/profiles-search?email=${email}&nonsense=1`, undefined, 400);
    // Taken for what one looks up by, and with a slip in the address.
    await this.#ask('GET', `/profiles/${email}`, undefined, 400, 404);
    await this.#ask('GET', `/profile/${email}`, undefined, 404);
  }

  async expireAt(expirationDate: Date): Promise<void> {
    const body = { expirationDate: expirationDate.toISOString(), ...this.#changedBy() };
    await this.#ask('PATCH', `/profiles/temporary/${this.customerNumber}`, body, 200);
  }

  async isGone(): Promise<boolean> {
    const body = await this.#ask('GET', `/profiles/${this.customerNumber}`, undefined, 200, 404);
    return body.status === 404;
  }

  async read(): Promise<Members> {
    return await this.#ask('GET', `/profiles/${this.customerNumber}`, undefined, 200);
  }

  async delete(type: 'PERMANENT' | 'TEMPORARY'): Promise<void> {
    const path = type === 'PERMANENT' ? '/profiles' : '/profiles/temporary';
    await this.#ask('DELETE', `${path}/${this.customerNumber}`, undefined, 202);
  }

  #add(path: string, body: Members): Promise<Members> {
    return this.#ask('POST', this.#below(path), body, 201);
  }

  #below(path: string): string {
    return `/profiles/${this.customerNumber}${path}`;
  }

  #profile() {
    return {
      firstName: this.#text('Førstenavn'),
      surname: this.#text('Etternavn'),
      email: this.#note(this.#personal, `Post.${randomUUID()}@Example.org`),
      countryCode: '47',
      telephoneNumberNoCountryCode: this.#note(this.#personal, digits(14)),
      dateOfBirth: this.#note(this.#personal, `19${randomInt(10, 60)}-0${randomInt(1, 9)}-1${randomInt(0, 9)}`),
      customerRef: this.#note(this.#other, `ref-${randomUUID()}`),
    };
  }

  #address(): Members {
    return {
      type: 'HOME',
      addressLines: [this.#text('Gate «1»'), this.#text('c/o')],
      postCode: this.#note(this.#personal, randomBytes(5).toString('hex').toUpperCase()),
      postTown: this.#text('Sted'),
      countryCode: 'NO',
    };
  }

  #createdBy(): Members {
    return { createdBy: this.#told('desk'), createdByChannel: this.#told('channel'), organisationId: 1 };
  }

  #changedBy(): Members {
    return { changedBy: this.#told('desk'), changedByChannel: this.#told('channel') };
  }

  #text(what: string): string {
    return this.#note(this.#personal, `${what} ${randomBytes(9).toString('base64url')} æøå`);
  }

  #told(what: string): string {
    return this.#note(this.#other, `${what} ${randomUUID()}`);
  }

  #note(list: string[], text: string): string {
    list.push(text);
    return text;
  }

  async #ask(method: string, path: string, body: Members | undefined, ...statuses: number[]): Promise<Members> {
    const headers = {
      authorization: `Bearer ${this.#token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
    };
    const url = `${this.#service.apiUrl}/customers/v2${path}`;
    const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    if (!statuses.includes(answer.status)) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Members);
  }
}

/** Does not begin with a zero. */
function digits(count: number): string {
  return Array.from({ length: count }, (_, at) => String(randomInt(at === 0 ? 1 : 0, 10))).join('');
}
