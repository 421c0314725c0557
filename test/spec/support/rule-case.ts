/**
 * A rule's case as its YAML tells it, and the dataset that comes of it. Callers: rules.test.ts.
 *
 * The forms are in test/spec/rules/package.md.
 */
import assert from 'node:assert/strict';
import { z } from 'zod';

const change = z.strictObject({
  file: z.string(),
  /** Occurs once, unless `all`. */
  replace: z.string().min(1).optional(),
  with: z.string().optional(),
  all: z.boolean().optional(),
  /** The file is left out. */
  remove: z.literal(true).optional(),
  /** The file has another name. */
  rename: z.string().optional(),
  /** The file is there once more under another name. */
  copy: z.string().optional(),
});
const changes = z.union([
  change,
  z.array(z.union([change, z.array(change)])),
  z.strictObject({ change: z.array(change) }),
]);

const ruleCase = z.strictObject({
  code: z.string(),
  /** What this case shows, where the code does not say it. */
  about: z.string().optional(),
  invalid: changes.optional(),
  valid: changes.optional(),
  profile: z.enum(['timetable', 'flex', 'sweden']).optional(),
  dataset: z.enum(['timetable', 'stop-register']).optional(),
  /** Of the findings of this code; without it, at least one. */
  count: z.number().int().positive().optional(),
  /** A regular expression that a message of the code matches. */
  says: z.string().optional(),
  /** The objectId of one of the findings. */
  at: z.string().optional(),
  /** The fileName of one of the findings. */
  in: z.string().optional(),
  /** The XSD forbids it too; the rules judge it alone. */
  schemaBreaks: z.boolean().optional(),
  /** Other members of the ValidationContext, e.g. `authorities`. */
  context: z.record(z.string(), z.unknown()).optional(),
  today: z.string().optional(),
});

export const ruleCases = z.array(ruleCase);
export type RuleCase = z.infer<typeof ruleCase>;
export type Change = z.infer<typeof change>;
export type Texts = ReadonlyMap<string, string>;

export function changesOf(written: RuleCase['invalid']): Change[] {
  if (!written) return [];
  if (Array.isArray(written)) return written.flat();
  return 'change' in written ? written.change : [written];
}

export function applyChanges(sample: Texts, list: readonly Change[]): Texts {
  const texts = new Map(sample);
  for (const one of list) applyOne(texts, one);
  return texts;
}

function applyOne(texts: Map<string, string>, { file, replace, with: put, all, remove, rename, copy }: Change): void {
  const text = texts.get(file) ?? assert.fail(`The sample has no file ${file}`);
  const next = replace === undefined ? text : replaced(text, replace, put ?? '', all === true, file);
  if (remove || rename) texts.delete(file);
  if (!remove) texts.set(rename ?? file, next);
  if (copy) texts.set(copy, next);
}

/** Blanks between tags do not matter: a case may write several lines of the sample on one, or indented otherwise. */
function replaced(text: string, written: string, put: string, all: boolean, file: string): string {
  const pattern = new RegExp(
    written
      .trim()
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replace(/>\s*</g, '>\\s*<')
      .replace(/\s+/g, '\\s+'),
    'g',
  );
  const found = [...text.matchAll(pattern)].length;
  assert.ok(
    all ? found > 0 : found === 1,
    `${file} has this ${found} times, expected ${all ? 'some' : 'once'}: ${written}`,
  );
  return text.replace(pattern, () => put);
}
