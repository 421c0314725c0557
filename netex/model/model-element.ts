/** Helpers that the collectors of the model share. */
import { nearestId } from '../rules/finding-list.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { KeptNames } from './kept-names.ts';
import type { ModelElement } from './timetable-model.ts';

/** A model element while it is being read. */
export type Writable<T> = { -readonly [K in keyof T]: T[K] };

export function modelElement(element: OpenElement, names: KeptNames): ModelElement {
  const { line, column } = element;
  const id = names.keep(element.attributes.id);
  return { id: id ?? '', objectId: id ?? names.keep(nearestId(element) ?? undefined) ?? null, line, column };
}

export function isTrue(text: string): boolean {
  const value = text.trim();
  return value === 'true' || value === '1';
}
