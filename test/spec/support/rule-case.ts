/**
 * A case of a rule, as written in YAML, and the dataset that it produces. Callers: rules.test.ts.
 *
 * The forms are in test/spec/rules/package.md.
 */
import assert from 'node:assert/strict';
import { z } from 'zod';

const change = z.strictObject({
  file: z.string(),
  /** Must occur once, unless `all`. */
  replace: z.string().min(1).optional(),
  with: z.string().optional(),
  all: z.boolean().optional(),
  /** Leaves the file out. */
  remove: z.literal(true).optional(),
  /** Gives the file another name. */
  rename: z.string().optional(),
  /** Adds a copy of the file under another name. */
  copy: z.string().optional(),
});
const changes = z.union([
  change,
  z.array(z.union([change, z.array(change)])),
  z.strictObject({ change: z.array(change) }),
]);

const ruleCase = z.strictObject({
  code: z.string(),
  /** The point of this case, where the code does not show it. */
  about: z.string().optional(),
  invalid: changes.optional(),
  valid: changes.optional(),
  profile: z.enum(['timetable', 'flex', 'sweden']).optional(),
  dataset: z.enum(['timetable', 'stop-register']).optional(),
  /** Number of findings of this code; without it, at least one. */
  count: z.number().int().positive().optional(),
  /** A regular expression that a message of the code matches. */
  says: z.string().optional(),
  /** The objectId of one of the findings. */
  at: z.string().optional(),
  /** The fileName of one of the findings. */
  in: z.string().optional(),
  /** The XSD forbids it too; the case skips the schema. */
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

/** Blanks between tags are ignored: a case may join or indent lines of the sample. */
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
