/**
 * Creates customers for a fuzzer: profiles of both kinds, and one with every kind of item; and orders. So generated requests
 * reach existing data. Uses HTTP, as a partner would. Used by fuzz-api.ts.
 */
import type { Service } from '../support/service.ts';

const PERMANENT = 40;
const TEMPORARY = 30;
/** Number of permanent profiles to delete, of temporary ones to delete, and of temporary ones to convert. */
const DOOMED = 40;
const ITEMS = 10;
const SCOPES = [
  'profiles:read',
  'profiles:write',
  'profiles:authenticate',
  'consents:read',
  'consents:write',
  'events:read',
  'catalogue:write',
  'webhooks:write',
  'orders:price',
  'offers:search',
  'orders:read',
  'orders:write',
  'seating:read',
  'seating:write',
  'payments:read',
  'payments:write',
  'payment-page:read',
  'payment-page:write',
  'tickets:read',
  'tickets:write',
  'tickets:validate',
  'receipts:read',
  'receipts:write',
  'refunds:read',
  'refunds:write',
];
export const PASSWORD = 'correct horse battery';
const CHANNEL = 'SVC:DistributionChannel:FjordbussApp';
const CONSENTS = ['TERMS_OF_USE', 'NEWSLETTER', 'TRAVEL_STATISTICS', 'FJORDBUSS_CLUB'];
const BY = { createdBy: 'fuzz run', createdByChannel: 'test', organisationId: 1 };
const PERSON = { firstName: 'Kari', surname: 'Nordmann', ...BY };

export interface People {
  readonly token: string;
  /** Customer numbers. */
  readonly permanent: readonly string[];
  readonly temporary: readonly string[];
  readonly toDelete: readonly string[];
  readonly temporaryToDelete: readonly string[];
  readonly toConvert: readonly string[];
  /** A customer with items of every kind; never deleted as a whole. */
  readonly holder: string;
  /** Ids or keys of the holder's items, by the name of their path. */
  readonly items: Readonly<Record<string, readonly string[]>>;
  readonly emails: readonly string[];
}

type Create = (path: string, body: object) => Promise<Record<string, unknown>>;

export async function createPeople(service: Service): Promise<People> {
  const token = await service.token(SCOPES);
  const create: Create = (path, body) => post(`${service.apiUrl}/customers/v2/profiles${path}`, token, body);
  const emails = Array.from({ length: PERMANENT }, (_, at) => `kari.${at}@example.org`);
  const permanent = await createMany(PERMANENT, (at) => {
    const phone = { countryCode: '47', telephoneNumberNoCountryCode: `900000${at + 10}` };
    const person = { ...PERSON, email: emails[at], ...phone, dateOfBirth: '1990-04-30' };
    return create('', at < ITEMS ? { ...person, password: PASSWORD } : person);
  });
  const expirationDate = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const createTemporary = () => create('/temporary', { firstName: 'Ola', ...BY, expirationDate });
  const [holder = ''] = await createMany(1, () => create('', { ...PERSON, email: 'eva@example.org' }));
  return {
    token,
    emails,
    permanent,
    holder,
    toDelete: await createMany(DOOMED, (at) => create('', { ...PERSON, email: `per.${at}@example.org` })),
    temporary: await createMany(TEMPORARY, createTemporary),
    temporaryToDelete: await createMany(DOOMED, createTemporary),
    toConvert: await createMany(DOOMED, createTemporary),
    items: await createItems(create, holder),
  };
}

/** Returns the customer numbers. */
async function createMany(count: number, create: (at: number) => ReturnType<Create>): Promise<readonly string[]> {
  const numbers: string[] = [];
  for (let at = 0; at < count; at++) numbers.push(String((await create(at)).customerNumber));
  return numbers;
}

async function createItems(create: Create, holder: string) {
  const address = { type: 'HOME', addressLines: ['Storgata 1'], postCode: '0155', postTown: 'Oslo', countryCode: 'NO' };
  const items: Record<string, string[]> = {};
  const add = async (kind: string, body: object) => {
    const { id, key } = await create(`/${holder}/${kind}`, body);
    items[kind] = [...(items[kind] ?? []), String(id ?? key)];
  };
  for (let at = 0; at < ITEMS; at++) {
    await add('postal-addresses', address);
    await add('preferences', { key: `seat-${at}`, value: { window: true } });
    await add('e-cards', { mediaSerialNumber: `1234${at}`, issuerCode: '960100', name: 'Commuter card' });
    await add('loyalty-programs', { programCode: 'BONUS', membershipNumber: `555${at}`, validFrom: '2026-01-01' });
  }
  for (const consentCode of CONSENTS) {
    await add('consents', { consentCode, consentChoice: true, distributionChannel: CHANNEL });
  }
  return items;
}

async function post(url: string, token: string, body: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`POST ${url} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}
