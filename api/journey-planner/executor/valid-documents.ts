/**
 * The documents that Apollo has parsed and validated. Apollo finds them by a digest, and `direct-answers.ts` by their
 * text. Both share one cache, so each use keeps a document from eviction.
 */
import type { DocumentNode } from 'graphql';
import { LruCache } from '../../../platform/lru-cache.ts';
import type { GraphqlLimits } from '../guards/limits.ts';

export class ValidDocuments {
  readonly #documents: LruCache<DocumentNode>;
  readonly #keys: LruCache<string>;

  constructor({ GRAPHQL_CACHED_QUERIES, GRAPHQL_CACHED_CHARACTERS }: GraphqlLimits) {
    this.#documents = new LruCache(GRAPHQL_CACHED_QUERIES, GRAPHQL_CACHED_CHARACTERS);
    this.#keys = new LruCache(GRAPHQL_CACHED_QUERIES, GRAPHQL_CACHED_CHARACTERS);
  }

  /** Undefined if the text is unknown or was evicted. */
  find(text: string): DocumentNode | undefined {
    const key = this.#keys.get(text);
    return key === undefined ? undefined : this.#documents.get(key);
  }

  /** Part of Apollo's interface. */
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
