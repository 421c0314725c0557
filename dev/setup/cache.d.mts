/** Types of cache.mjs for the tests. */
import type { Part } from './resolve.mjs';
export function cacheDirectory(env?: Readonly<Record<string, string | undefined>>): string;
export function entryDirectory(part: Part, cache?: string): string;
export function sha256OfFile(path: string): Promise<string>;
export function isIntact(directory: string): Promise<boolean>;
export function createWorkDirectory(cache?: string): Promise<string>;
export function removeLeftovers(cache?: string): Promise<void>;
export function storeEntry(made: string, directory: string): Promise<void>;
