/**
 * A customer with every text that the API accepts, each unique in the service. The person's data is created, changed,
 * removed, searched and refused through the API. Used by the test of what remains.
 */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { payByCard } from '../support/provider-simulator.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

export interface PersonTexts {
  /** Texts that identify the person: sealed wherever they are stored. */
  readonly personal: readonly string[];
  /** Other texts of the profile: gone with it. */
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
  'orders:read',
  'orders:write',
  'orders:price',
  'payments:write',
  'tickets:read',
  'tickets:write',
  'receipts:read',
  'receipts:write',
  'refunds:read',
  'refunds:write',
];
const SALES = '/v1/orders';
const PAYMENTS = '/v1/payments';
const DISTRIBUTED_WITHIN_MS = 60_000;
const INVOICES = '/v1/penalty-fare-invoices';
const GOOD_CARD = '4111111111111111';
const VISA = { paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' };
const RECEIPTS = '/v1/receipts/send';
const REFUNDS = '/v1/refunds';
/** Given back whole before its validity. */
const REFUNDABLE = 'town-30-days';
const CHANNEL = 'SVC:DistributionChannel:PaymentPage';
/** It takes invoices. */
const BUSINESS = 'SVC:DistributionChannel:FjordbussBusiness';

export class RememberedPerson {
  readonly #service: Service;
  readonly #token: string;
  readonly #personal: string[] = [];
  readonly #other: string[] = [];
  customerNumber = '';
  /** Orders that named the person once. */
  readonly onceNamedBy: string[] = [];
  /** Refunds of tickets that named the person. */
  readonly refundIds: string[] = [];

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
    const { customerNumber } = await this.#request('POST', '/profiles/', body, 201);
    this.customerNumber = String(customerNumber);
    const { email, customerRef } = this.#profile();
    for (const other of [{ email }, { customerRef }])
      await this.#request('POST', '/profiles/', { ...body, ...other }, 409);
    const username = String(body.email);
    await this.#request(
      'POST',
      '/profiles/authenticate',
      { username, password: body.password, organisationId: 1 },
      200,
    );
    const wrong = { username, password: this.#text('wrong password'), organisationId: 1 };
    await this.#request('POST', '/profiles/authenticate', wrong, 401);
  }

  async createTemporary(expirationDate: Date): Promise<void> {
    const body = { ...this.#profile(), ...this.#createdBy(), expirationDate: expirationDate.toISOString() };
    const { customerNumber } = await this.#request('POST', '/profiles/temporary', body, 201);
    this.customerNumber = String(customerNumber);
  }

  /** Converts the profile with new texts. */
  async convert(): Promise<void> {
    const { firstName, surname, email } = this.#profile();
    const body = { firstName, surname, email, password: this.#text('new password'), ...this.#changedBy() };
    await this.#request('POST', `/profiles/temporary/${this.customerNumber}/convert`, body, 200);
  }

  /** Refused, since another profile has the address. The values prepared for the conversion stay in the profile. */
  async convertInVain(emailOfAnother: string): Promise<void> {
    const { firstName, surname } = this.#profile();
    const body = { firstName, surname, email: emailOfAnother, ...this.#changedBy() };
    await this.#request('POST', `/profiles/temporary/${this.customerNumber}/convert`, body, 409);
  }

  async change(type: 'PERMANENT' | 'TEMPORARY'): Promise<void> {
    const path = type === 'PERMANENT' ? '/profiles' : '/profiles/temporary';
    await this.#request('PATCH', `${path}/${this.customerNumber}`, { ...this.#profile(), ...this.#changedBy() }, 200);
    if (type === 'PERMANENT') {
      const { customerNumber } = this;
      await this.#request('PUT', `/profiles/${customerNumber}`, { ...this.#profile(), ...this.#changedBy() }, 200);
      const refused = { ...this.#profile(), email: this.#text('no address'), ...this.#changedBy() };
      await this.#request('PATCH', `/profiles/${customerNumber}`, refused, 400);
    }
  }

  /** Adds the items that temporary profiles may have, too. */
  async addItems(): Promise<void> {
    const addresses = '/postal-addresses';
    const { id } = await this.#add(addresses, this.#address());
    await this.#request('PUT', this.#below(`${addresses}/${id}`), this.#address(), 200);
    const removed = await this.#add(addresses, this.#address());
    await this.#request('DELETE', this.#below(`${addresses}/${removed.id}`), undefined, 204);
    const key = this.#remember(this.#other, `key-${randomUUID()}`);
    await this.#request('PUT', this.#below(`/preferences/${key}`), { value: { seat: this.#text('seat') } }, 200, 201);
    await this.#request('PUT', this.#below(`/preferences/${key}`), { value: [this.#text('meal')] }, 200);
    const consent = { consentCode: 'NEWSLETTER', consentChoice: true, distributionChannel: CHANNEL };
    const given = await this.#add('/consents', consent);
    await this.#request('PUT', this.#below(`/consents/${given.id}`), { ...consent, consentChoice: false }, 200);
  }

  /** Adds the items that only permanent profiles have. */
  async addCards(): Promise<void> {
    const mediaSerialNumber = this.#remember(this.#personal, digits(10));
    const card = { mediaSerialNumber, issuerCode: '123456', name: this.#text('card') };
    const { cardNumber } = await this.#add('/e-cards', card);
    this.#remember(this.#personal, String(cardNumber));
    const programCode = this.#remember(this.#other, `P${randomBytes(8).toString('hex').toUpperCase()}`);
    const membershipNumber = this.#remember(this.#personal, `M${digits(14)}`);
    await this.#request('POST', this.#below('/e-cards'), card, 409);
    await this.#add('/loyalty-programs', { programCode, membershipNumber, validFrom: '2026-01-01' });
  }

  /** Searches by every search term of a profile. Search terms occur in URLs, too. */
  async lookUp(profile: Members): Promise<void> {
    for (const name of ['firstName', 'surname', 'email', 'customerRef', 'dateOfBirth']) {
      const value = encodeURIComponent(String(profile[name]));
      await this.#request('GET', `/profiles-search?${name}=${value}&includeTemporary=true`, undefined, 200);
    }
    await this.#request('GET', `/profiles/${profile.customerRef}`, undefined, 200);
    const email = encodeURIComponent(String(profile.email));
    await this.#request('GET', `/profiles-search?email=${email}&nonsense=1`, undefined, 400);
    // The address in place of the customer number, and a misspelt path.
    await this.#request('GET', `/profiles/${email}`, undefined, 400, 404);
    await this.#request('GET', `/profile/${email}`, undefined, 404);
  }

  /** Orders that name the person no more: the contact was cleared, and the traveller removed from what was sold. */
  async wasNamed(): Promise<void> {
    const customer = { id: this.customerNumber };
    const specialOrderCause = { causeCode: 'OTHER', description: this.#text('cause') };
    const { id: cleared } = await this.#sale(
      'POST',
      '',
      { contactInfo: { contact: customer }, specialOrderCause },
      201,
    );
    await this.#sale('PUT', `/${cleared}/contact-info`, {}, 200);
    const traveller = randomUUID();
    const travellers = [{ id: traveller, customerRef: customer, userType: 'ADULT' }];
    const { id } = await this.#sale('POST', '', { travellers }, 201);
    await this.#addFreeFees(String(id));
    await this.#sale('POST', `/${id}/confirm`, { orderVersion: 1 }, 200);
    await this.#request('DELETE', `${SALES}/${id}/travellers?travellerIds=${traveller}`, undefined, 200);
    await this.#addFreeFees(String(id));
    await this.#sale('POST', `/${id}/confirm`, { orderVersion: 2 }, 200);
    this.onceNamedBy.push(String(cleared), String(id));
  }

  /** Together they cost nothing, so nobody pays. */
  async #addFreeFees(orderId: string): Promise<void> {
    for (const [type, amount] of [
      ['MANUAL', '10.00'],
      ['REDUCTION', '-10.00'],
    ]) {
      await this.#sale('POST', `/${orderId}/fees`, { type, price: { amount }, reason: this.#text('reason') }, 201);
    }
  }

  /** Sells an order to the person twice, so that an earlier version is kept, and leaves a draft. Texts stand in each. */
  async order(): Promise<void> {
    const contactInfo = { contact: { id: this.customerNumber }, createdBy: { id: this.customerNumber } };
    const cause = () => ({ causeCode: 'OTHER', description: this.#text('cause') });
    const { id } = await this.#sale('POST', '', { contactInfo, specialOrderCause: cause() }, 201);
    for (const orderVersion of [1, 2]) {
      await this.#addFreeFees(String(id));
      await this.#sale('POST', `/${id}/confirm`, { orderVersion }, 200);
    }
    await this.#sale('PUT', `/${id}/special-order-cause`, cause(), 200);
    const draft = await this.#sale('POST', '', { contactInfo, specialOrderCause: cause() }, 201);
    await this.#sale('POST', `/${draft.id}/cancel`, { reason: this.#text('reason') }, 200);
    await this.#sale('POST', '', { contactInfo, specialOrderCause: cause() }, 201);
  }

  /** A ticket that names the person is mailed to the person, and then to an address that the call names. */
  async travel(): Promise<void> {
    const id = await this.#buyTicket();
    const email = this.#remember(this.#personal, `Annen.${randomUUID()}@Example.org`);
    await this.#request('POST', `/v1/ticket-distribution-groups/${id}/distribute`, { resend: true, email }, 202);
    await this.#untilDistributed(id);
    await this.#request('POST', `/v1/ticket-distributions/${id}/generate`, undefined, 200);
  }

  /** A ticket that was paid elsewhere, and is given back. */
  async stayAtHome(): Promise<void> {
    await this.#giveBack(await this.#buyTicket([{ id: REFUNDABLE }]));
  }

  /** A ticket that is paid at the terminal of the simulator, mailed, and given back. */
  async payByCard(): Promise<void> {
    const id = await this.#draftOfTicket([{ id: REFUNDABLE }]);
    const transaction = { amount: '10.00', ...VISA };
    const payment = { orderId: id, orderVersion: 1, totalAmount: '10.00', customerNumber: this.customerNumber };
    const made = await this.#request('POST', PAYMENTS, { ...payment, transaction }, 201);
    const [{ transactionId }] = made.transactionHistory as [{ transactionId: number }];
    const path = `${PAYMENTS}/${made.paymentId}/transactions/${transactionId}`;
    const { terminalUri } = await this.#request('POST', `${path}/terminal`, this.#addresses(), 200);
    await payByCard(String(terminalUri), GOOD_CARD);
    await this.#request('PUT', `${path}/capture`, undefined, 200);
    await this.#untilDistributed(id);
    await this.#giveBack(id);
  }

  /** Its refund, its credit, and the receipt of it. */
  async #giveBack(id: string): Promise<void> {
    const { options } = await this.#request('GET', `${REFUNDS}/options/${id}`, undefined, 200);
    const [{ orderLineRef, refundRule }] = options as [{ orderLineRef: Members; refundRule: Members }];
    const body = { refundOperations: [{ orderLineRef, refundRule: { id: refundRule.id } }], reason: 'ILL' };
    const { refundId } = await this.#request('POST', `${REFUNDS}/${id}`, body, 200, 202);
    const isPaid = async () =>
      (await this.#request('GET', `${REFUNDS}/${id}/${refundId}`, undefined, 200)).status === 'COMPLETED';
    this.refundIds.push(String(refundId));
    await until(isPaid, { timeoutMs: DISTRIBUTED_WITHIN_MS, what: 'the refund', everyMs: 200 });
    const receipts = async () =>
      (await this.#request('GET', `/v1/receipts?orderId=${id}&orderVersion=2`, undefined, 200)).totalItems === 1;
    await until(receipts, { timeoutMs: DISTRIBUTED_WITHIN_MS, what: 'the receipt of the refund', everyMs: 200 });
  }

  /** Paid by money that another system took. Answers the order, once its ticket is mailed. */
  async #buyTicket(fareProducts: readonly Members[] = []): Promise<string> {
    const id = await this.#draftOfTicket(fareProducts);
    const payment = { orderId: id, orderVersion: 1, totalAmount: '10.00', customerNumber: this.customerNumber };
    const { paymentId } = await this.#request('POST', PAYMENTS, payment, 201);
    const money = { amount: '10.00', ...VISA, rrn: digits(12) };
    const transactionConfirmedAt = new Date().toISOString();
    const path = `${PAYMENTS}/${paymentId}/transactions/import`;
    // The order is paid, and so confirmed.
    await this.#request('POST', path, { ...money, transactionConfirmedAt }, 201);
    await this.#untilDistributed(id);
    return id;
  }

  async #draftOfTicket(fareProducts: readonly Members[]): Promise<string> {
    const customer = { id: this.customerNumber };
    const [traveller, start] = [randomUUID(), Date.now() + 3_600_000];
    const travellers = [{ id: traveller, customerRef: customer, userType: 'ADULT' }];
    const { id } = await this.#sale('POST', '', { contactInfo: { contact: customer }, travellers }, 201);
    const line = {
      ...{ description: [{ lang: 'nob', value: 'Billett' }], price: { amount: '10.00' }, fareProducts },
      travellers: [{ travellerId: traveller }],
      travelSpecification: {
        ...{ legs: [], startOfValidity: new Date(start).toISOString() },
        endOfValidity: new Date(start + 3_600_000).toISOString(),
      },
    };
    await this.#sale('POST', `/${id}/orderlines`, { orderLines: [line] }, 201);
    return String(id);
  }

  async #untilDistributed(orderId: string): Promise<void> {
    const path = `/v1/ticket-distributions/${orderId}/summary`;
    const isDistributed = async () => {
      const tickets = (await this.#request('GET', path, undefined, 200)) as unknown as readonly { status: string }[];
      return tickets.length === 1 && tickets[0]?.status === 'DISTRIBUTED';
    };
    await until(isDistributed, { timeoutMs: DISTRIBUTED_WITHIN_MS, what: 'the mail of the ticket', everyMs: 200 });
  }

  /** A payment that asks an app on the person's phone, and an invoice with the person's national number. */
  async pay(): Promise<void> {
    const { customerNumber } = this;
    const contactInfo = { contact: { id: customerNumber } };
    const { id: orderId } = await this.#sale('POST', '', { contactInfo }, 201);
    const fee = { type: 'BOOKING', price: { amount: '10.00' }, reason: this.#text('reason') };
    await this.#sale('POST', `/${orderId}/fees`, fee, 201);
    const transaction = { amount: '10.00', paymentTypeGroup: 'MOBILE', paymentType: 'VIPPS' };
    const payment = { orderId, orderVersion: 1, totalAmount: '10.00', customerNumber, transaction };
    const { paymentId, transactionHistory } = await this.#request('POST', PAYMENTS, payment, 201);
    const [{ transactionId }] = transactionHistory as [{ transactionId: number }];
    const phoneNumber = `+47${this.#remember(this.#personal, digits(10))}`;
    const addresses = this.#addresses();
    const claim = { phoneNumber, description: this.#text('claim'), ...addresses };
    // No provider answers: what was sealed for it stays.
    const path = `${PAYMENTS}/${paymentId}/transactions/${transactionId}/app-claim`;
    await this.#request('POST', path, claim, 200, 409, 502, 503, 504);
    await this.#payInVain({ ...payment, transaction: { ...transaction, ...VISA } }, addresses);
    const customerIdentificationNumber = this.#remember(this.#personal, digits(11));
    const invoice = { customerIdentificationNumber, externalInvoiceNumber: randomUUID(), customerNumber };
    const more = { amount: '100.00', dueDate: '2030-01-31', reason: this.#text('fare') };
    await this.#request('POST', INVOICES, { ...invoice, ...more }, 201);
  }

  /** Shops put such texts there. */
  #addresses(): Members {
    const email = this.#remember(this.#personal, `Betaler.${randomUUID()}@Example.org`);
    return {
      redirectUrl: `https://shop.example/paid?email=${email}`,
      callbackUrl: `https://shop.example/told/${email}`,
    };
  }

  /** The client of a payment that is cancelled is told by a callback. */
  async #payInVain(payment: Members, addresses: Members): Promise<void> {
    const { paymentId, transactionHistory } = await this.#request('POST', PAYMENTS, payment, 201);
    const [{ transactionId }] = transactionHistory as [{ transactionId: number }];
    const path = `${PAYMENTS}/${paymentId}/transactions/${transactionId}`;
    await this.#request('POST', `${path}/terminal`, addresses, 200);
    await this.#request('PUT', `${path}/cancel`, undefined, 200);
  }

  /** Receipts of an order that was paid elsewhere, on their way to an address of the person's own and to the contact. */
  async askForReceipts(): Promise<void> {
    const contactInfo = { contact: { id: this.customerNumber } };
    const { id: orderId } = await this.#sale('POST', '', { contactInfo }, 201);
    const amount = '10.00';
    const fee = { type: 'BOOKING', price: { amount }, reason: this.#text('reason') };
    await this.#sale('POST', `/${orderId}/fees`, fee, 201);
    const order = { orderId, orderVersion: 1 };
    const { paymentId } = await this.#request('POST', PAYMENTS, { ...order, totalAmount: amount }, 201);
    const taken = { amount, paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA', rrn: digits(12) };
    const imported = { ...taken, transactionConfirmedAt: new Date(Date.now() - 60_000).toISOString() };
    await this.#request('POST', `${PAYMENTS}/${paymentId}/transactions/import`, imported, 201);
    const email = this.#remember(this.#personal, `Kvittering.${randomUUID()}@Example.org`);
    for (const distribution of [{ email }, {}]) {
      for (const copyReceipt of [false, true]) {
        await this.#request('POST', RECEIPTS, { ...order, distribution, copyReceipt }, 202);
      }
    }
  }

  async expireAt(expirationDate: Date): Promise<void> {
    const body = { expirationDate: expirationDate.toISOString(), ...this.#changedBy() };
    await this.#request('PATCH', `/profiles/temporary/${this.customerNumber}`, body, 200);
  }

  async isGone(): Promise<boolean> {
    const body = await this.#request('GET', `/profiles/${this.customerNumber}`, undefined, 200, 404);
    return body.status === 404;
  }

  async read(): Promise<Members> {
    return await this.#request('GET', `/profiles/${this.customerNumber}`, undefined, 200);
  }

  async delete(type: 'PERMANENT' | 'TEMPORARY'): Promise<void> {
    const path = type === 'PERMANENT' ? '/profiles' : '/profiles/temporary';
    await this.#request('DELETE', `${path}/${this.customerNumber}`, undefined, 202);
  }

  #add(path: string, body: Members): Promise<Members> {
    return this.#request('POST', this.#below(path), body, 201);
  }

  #below(path: string): string {
    return `/profiles/${this.customerNumber}${path}`;
  }

  #profile() {
    return {
      firstName: this.#text('Førstenavn'),
      surname: this.#text('Etternavn'),
      email: this.#remember(this.#personal, `Post.${randomUUID()}@Example.org`),
      countryCode: '47',
      telephoneNumberNoCountryCode: this.#remember(this.#personal, digits(14)),
      dateOfBirth: this.#remember(this.#personal, `19${randomInt(10, 60)}-0${randomInt(1, 9)}-1${randomInt(0, 9)}`),
      customerRef: this.#remember(this.#personal, `ref-${randomUUID()}`),
    };
  }

  #address(): Members {
    return {
      type: 'HOME',
      addressLines: [this.#text('Gate «1»'), this.#text('c/o')],
      postCode: this.#remember(this.#personal, randomBytes(5).toString('hex').toUpperCase()),
      postTown: this.#text('Sted'),
      countryCode: 'NO',
    };
  }

  #createdBy(): Members {
    return { createdBy: this.#text('desk'), createdByChannel: this.#text('channel'), organisationId: 1 };
  }

  #changedBy(): Members {
    return { changedBy: this.#text('desk'), changedByChannel: this.#text('channel') };
  }

  #text(what: string): string {
    return this.#remember(this.#personal, `${what} ${randomBytes(9).toString('base64url')} æøå`);
  }

  #remember(list: string[], text: string): string {
    list.push(text);
    return text;
  }

  async #sale(method: string, path: string, body: Members, ...statuses: number[]): Promise<Members> {
    return await this.#request(method, `${SALES}${path}`, body, ...statuses);
  }

  async #request(method: string, path: string, body: Members | undefined, ...statuses: number[]): Promise<Members> {
    const headers = {
      authorization: `Bearer ${this.#token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
      ...(path.startsWith('/v1/') && { 'service-distribution-channel': path === INVOICES ? BUSINESS : CHANNEL }),
    };
    const url = new URL(path.startsWith('/v1/') ? path : `/customers/v2${path}`, this.#service.apiUrl);
    const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    if (!statuses.includes(answer.status)) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Members);
  }
}

/** A number whose first digit is not zero. */
function digits(count: number): string {
  return Array.from({ length: count }, (_, at) => String(randomInt(at === 0 ? 1 : 0, 10))).join('');
}
