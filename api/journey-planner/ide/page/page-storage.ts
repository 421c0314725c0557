/** Storage of GraphiQL's editors between visits. Each dialect has its own, since a query of one fails on the other. */
import type { Example } from './page-setup.ts';

/** Keys under which GraphiQL's editors look for their first texts. */
const QUERY_KEY = 'graphiql:query';
const VARIABLES_KEY = 'graphiql:variables';

export interface PageStorage {
  readonly length: number;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
  clear(): void;
}

export function createPageStorage(dialect: string): PageStorage {
  const ownKey = (key: string) => `${dialect}:${key}`;
  return {
    getItem: (key) => localStorage.getItem(ownKey(key)),
    setItem: (key, value) => localStorage.setItem(ownKey(key), value),
    removeItem: (key) => localStorage.removeItem(ownKey(key)),
    clear: () => localStorage.clear(),
    get length() {
      return localStorage.length;
    },
  };
}

/**
 * Stores the example on the first visit, so that it can be run at once. GraphiQL's own `defaultTabs` shows a query
 * without its variables.
 */
export function offerFirstExample(storage: PageStorage, example: Example | undefined): void {
  if (!example || storage.getItem(QUERY_KEY) !== null) return;
  storage.setItem(QUERY_KEY, example.query);
  storage.setItem(VARIABLES_KEY, example.variables);
}
