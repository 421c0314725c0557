/**
 * Copies an entity so that it outlives its file. Typed arrays are not views and stay. Callers: code that keeps
 * entities of common files.
 */
import { keptText } from '../xml/kept-text.ts';

export function keepEntity<T>(value: T): T {
  return kept(value) as T;
}

function kept(value: unknown): unknown {
  if (typeof value === 'string') return keptText(value);
  if (Array.isArray(value)) return value.map(kept);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) copy[key] = kept(entry);
  return copy;
}
