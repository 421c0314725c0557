/** Parses the answer of `/metrics` as Prometheus does. */

export interface Sample {
  /** The name that queries use: `…_bucket`, `…_sum` and `…_count` of a histogram. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Scrape {
  /** Types by metric, including metrics without samples. */
  readonly types: ReadonlyMap<string, string>;
  readonly samples: readonly Sample[];
}

const SAMPLE = /^(\w+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Throws for a line that is not in the format. */
export function parseMetrics(text: string): Scrape {
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    const [, metric, type] = /^# TYPE (\w+) (\w+)$/.exec(line) ?? [];
    if (metric && type) types.set(metric, type);
    if (line === '' || line.startsWith('#')) continue;
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
    if (!name || value === undefined) throw new Error(`Not a sample: ${line}`);
    const pairs = [...labels.matchAll(LABEL)].map(([, label = '', text = '']) => [label, text] as const);
    samples.push({ name, labels: Object.fromEntries(pairs), value: Number(value.replace('Inf', 'Infinity')) });
  }
  return { types, samples };
}

/** Every name that a query may use. */
export function queryableNames({ types }: Scrape): readonly string[] {
  return [...types].flatMap(([name, type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((ending) => name + ending) : [name],
  );
}
