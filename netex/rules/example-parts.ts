/**
 * Splits a rule's example into NeTEx and prose, so that only NeTEx is shown as code. Handles no more XML than the
 * examples use. Callers: the report page, the table of rules.
 */

export interface ExamplePart {
  readonly text: string;
  readonly netex: boolean;
}

/** A tag, also with … before or after it. */
const TAG = /…?<[^<>]*(?:<[^<>]*>)?[^<>]*>…?/g;

/** Text between two tags is NeTEx when it is empty, or when the tags open and close one element; else it is prose. */
export function splitExample(example: string): ExamplePart[] {
  const parts: Array<{ text: string; netex: boolean }> = [];
  const add = (text: string, netex: boolean): void => {
    const last = parts.at(-1);
    if (last?.netex === netex) last.text += text;
    else if (text !== '') parts.push({ text, netex });
  };
  let end = 0;
  let opened = '';
  for (const { 0: tag, index } of example.matchAll(TAG)) {
    const between = example.slice(end, index);
    const closes = opened !== '' && tag.startsWith('</') && (tag === '</…>' || tag.startsWith(`</${opened}>`));
    if (between !== '') add(between, closes);
    add(tag, true);
    opened = /<\/|\/>/.test(tag) ? '' : (/<([\w:]+)/.exec(tag)?.[1] ?? '');
    end = index + tag.length;
  }
  add(example.slice(end), false);
  return parts;
}
