/**
 * Documents that Apollo has parsed and validated: its document store, which finds them by a digest, and the same documents by their text
 * for who has no digest (`direct-answers.ts`). One cache of documents: whoever finds one keeps it from being forgotten.
 */
import type { DocumentNode } from 'graphql';
import type { GraphqlLimits } from '../guards/limits.ts';
import { LruCache } from './lru-cache.ts';

export class ValidDocuments {
  readonly #documents: LruCache<DocumentNode>;
  readonly #keys: LruCache<string>;

  constructor({ GRAPHQL_CACHED_QUERIES, GRAPHQL_CACHED_CHARACTERS }: GraphqlLimits) {
    this.#documents = new LruCache(GRAPHQL_CACHED_QUERIES, GRAPHQL_CACHED_CHARACTERS);
    this.#keys = new LruCache(GRAPHQL_CACHED_QUERIES, GRAPHQL_CACHED_CHARACTERS);
  }

  /** Undefined: never seen, or forgotten. */
  find(text: string): DocumentNode | undefined {
    const key = this.#keys.get(text);
    return key === undefined ? undefined : this.#documents.get(key);
  }

  /** For Apollo. */
  async get(key: string): Promise<DocumentNode | undefined> {
    return this.#documents.get(key);
  }

  async set(key: string, document: DocumentNode): Promise<void> {
    const text = document.loc?.source.body ?? '';
    this.#documents.set(key, document, text.length);
    this.#keys.set(text, key, text.length);
  }

  async delete(key: string): Promise<boolean> {
    return this.#documents.delete(key);
  }
}
