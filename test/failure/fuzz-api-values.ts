/** Lists of values that lead generated requests to existing data, and the list for each path. Used by fuzz-api.ts. */
import { randomUUID } from 'node:crypto';
import { PASSWORD, type People } from './fuzz-api-people.ts';

export type Lists = Readonly<Record<string, readonly (string | number)[]>>;
/** Name of the list, by name of the parameter. */
export type Bindings = Readonly<Record<string, string>>;

const KEYS = 2_000;
/** Operations that end a profile use lists of their own, so that others still find theirs. */
const ENDING: Readonly<Record<string, Bindings>> = {
  deleteProfile: { customerIdentifier: 'toDelete' },
  deleteTemporaryProfile: { customerNumber: 'temporaryToDelete' },
  convertProfile: { customerNumber: 'toConvert' },
};

export function listsOf(people: People): Lists {
  const { permanent, temporary, toDelete, temporaryToDelete, toConvert, holder, emails, items, orders } = people;
  return {
    permanent,
    temporary,
    toDelete,
    temporaryToDelete,
    toConvert,
    emails,
    orders,
    ...items,
    customers: [...permanent, ...temporary],
    holder: [holder],
    organisations: [1],
    channels: ['SVC:DistributionChannel:FjordbussApp'],
    passwords: [PASSWORD],
    codes: ['TERMS_OF_USE', 'NEWSLETTER', 'TRAVEL_STATISTICS'],
    topics: ['customer-changed-dev', 'timetable-dataset-events-dev'],
    waits: [0, 1],
    // Shorter generated keys often belong to another request.
    keys: Array.from({ length: KEYS }, () => randomUUID()),
  };
}

/** Lists for the parameters in an operation's path. */
export function pathBindings(operationId: string, path: string): Bindings {
  if (/^\/v1\/(pdf-)?ticket.*\{orderId\}|\/refunds\/.*\{orderId\}/.test(path)) return { orderId: 'ticketOrders' };
  if (path.includes('{reference}')) return { reference: 'receipts' };
  if (path.includes('{orderId}')) return { orderId: 'orders' };
  if (path.includes('{ticketDistributionId}')) return { ticketDistributionId: 'tickets' };
  if (path.includes('{transactionId}')) return { paymentId: 'payments', transactionId: 'transactions' };
  if (path.includes('{paymentId}')) return { paymentId: 'payments' };
  if (path.includes('{invoiceId}')) return { invoiceId: 'invoices' };
  const item = /\/([a-z-]+)\/\{(id|key)\}/.exec(path);
  if (item) return { customerNumber: 'holder', [item[2] ?? '']: item[1] ?? '' };
  if (path.includes('/temporary/')) return ENDING[operationId] ?? { customerNumber: 'temporary' };
  const onlyPermanent = /\/(e-cards|loyalty-programs)$/.test(path);
  const others = { customerNumber: onlyPermanent ? 'permanent' : 'customers', topic: 'topics' };
  return ENDING[operationId] ?? { ...others, customerIdentifier: 'permanent' };
}

/**
 * Gives each operation another value of a list, from its end backwards, so that no operation removes another's data.
 */
export function examplesFrom(lists: Lists): (operationId: string, path: string) => Readonly<Record<string, string>> {
  const used = new Map<string, number>();
  const next = (name: string): string => {
    const [list = [], at = 0] = [lists[name], used.get(name)];
    used.set(name, at + 1);
    return String(list.at(-1 - (at % list.length)));
  };
  return (operationId, path) =>
    Object.fromEntries(
      Object.entries(pathBindings(operationId, path))
        .filter(([name]) => path.includes(`{${name}}`))
        .map(([name, list]) => [name, next(list)]),
    );
}
