/** Lists of values that lead generated requests to what exists, and which list serves which path. Used by fuzz-api.ts. */
import { randomUUID } from 'node:crypto';
import { PASSWORD, type People } from './fuzz-api-people.ts';

export type Lists = Readonly<Record<string, readonly (string | number)[]>>;
/** Name of a parameter → name of a list. */
export type Bindings = Readonly<Record<string, string>>;

const KEYS = 2_000;
/** What these ends must not be what others look for. */
const ENDING: Readonly<Record<string, Bindings>> = {
  deleteProfile: { customerIdentifier: 'toDelete' },
  deleteTemporaryProfile: { customerNumber: 'temporaryToDelete' },
  convertProfile: { customerNumber: 'toConvert' },
};

export function listsOf(people: People): Lists {
  const { permanent, temporary, toDelete, temporaryToDelete, toConvert, holder, emails, items } = people;
  return {
    permanent,
    temporary,
    toDelete,
    temporaryToDelete,
    toConvert,
    emails,
    ...items,
    customers: [...permanent, ...temporary],
    holder: [holder],
    organisations: [1],
    channels: ['SVC:DistributionChannel:FjordbussApp'],
    passwords: [PASSWORD],
    codes: ['TERMS_OF_USE', 'NEWSLETTER', 'TRAVEL_STATISTICS'],
    topics: ['customer-changed-dev', 'timetable-dataset-events-dev'],
    waits: [0, 1],
    // Shorter generated ones belong to another request all too often.
    keys: Array.from({ length: KEYS }, () => randomUUID()),
  };
}

/** For the parameters in an operation's path. */
export function pathBindings(operationId: string, path: string): Bindings {
  const item = /\/([a-z-]+)\/\{(id|key)\}/.exec(path);
  if (item) return { customerNumber: 'holder', [item[2] ?? '']: item[1] ?? '' };
  if (path.includes('/temporary/')) return ENDING[operationId] ?? { customerNumber: 'temporary' };
  const onlyPermanent = /\/(e-cards|loyalty-programs)$/.test(path);
  const others = { customerNumber: onlyPermanent ? 'permanent' : 'customers', topic: 'topics' };
  return ENDING[operationId] ?? { ...others, customerIdentifier: 'permanent' };
}

/** Of each list its last value for the first operation that asks, and so on backwards: no operation takes away another's. */
export function examplesFrom(lists: Lists): (operationId: string, path: string) => Readonly<Record<string, string>> {
  const asked = new Map<string, number>();
  const next = (name: string): string => {
    const [list = [], at = 0] = [lists[name], asked.get(name)];
    asked.set(name, at + 1);
    return String(list.at(-1 - (at % list.length)));
  };
  return (operationId, path) =>
    Object.fromEntries(
      Object.entries(pathBindings(operationId, path))
        .filter(([name]) => path.includes(`{${name}}`))
        .map(([name, list]) => [name, next(list)]),
    );
}
