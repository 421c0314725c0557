/**
 * The example queries of the page, a file each in `examples/both`, `examples/v2` or `examples/v3`, in the order of
 * their names. A file begins with comments: its titles `# nb: …` and `# en: …`, and `# variables: {…}`. The rest is the
 * query. In variables, `{today}` is the day the page is opened. `{weekday}` is the same day, or at a weekend the Monday
 * after it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface IdeExample {
  readonly id: string;
  readonly names: { readonly nb: string; readonly en: string };
  readonly query: string;
  readonly variables: string;
}

const FOLDER = join(import.meta.dirname, 'examples');

/** Reads the files once at start. An invalid file stops the process. */
export function readExamples(dialect: 'v2' | 'v3'): readonly IdeExample[] {
  const found = ['both', dialect].flatMap((folder) => {
    const directory = join(FOLDER, folder);
    return readdirSync(directory).map((name) => parseExample(name, readFileSync(join(directory, name), 'utf8')));
  });
  return found.sort((one, other) => (one.id < other.id ? -1 : 1));
}

function parseExample(file: string, text: string): IdeExample {
  const value = (name: string): string => {
    const found = new RegExp(`^# ${name}: (.+)$`, 'm').exec(text)?.[1];
    if (found === undefined) throw new Error(`The example ${file} has no "${name}"`);
    return found;
  };
  const variables: unknown = JSON.parse(value('variables'));
  return {
    id: file.replace(/\.graphql$/, ''),
    names: { nb: value('nb'), en: value('en') },
    query: text.replace(/^# (nb|en|variables): .*\n/gm, '').trim(),
    variables: JSON.stringify(variables, undefined, 2),
  };
}

/** Returns the example with dates in its variables. */
export function datedExample(example: IdeExample, today: string): IdeExample {
  const day = new Date(today).getUTCDay();
  const untilMonday = day === 6 ? 2 : day === 0 ? 1 : 0;
  const weekday = new Date(Date.parse(today) + untilMonday * 86_400_000).toISOString().slice(0, 10);
  return { ...example, variables: example.variables.replaceAll('{today}', today).replaceAll('{weekday}', weekday) };
}
