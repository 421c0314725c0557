/** Holds the metrics that a set of processes serves, and finds the faults of an expression that uses others. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { ERROR_STATUS } from '../../workflows/shared/error-codes.ts';
import { queryableNames, type Sample, type Scrape } from './prometheus-text.ts';
import { type Matcher, readPromql, type Selector } from './promql.ts';

/** Labels that Prometheus adds to every sample. */
const TARGET_LABELS = ['job', 'instance', 'service'];
const OWN_METRICS = new Set(['up']);
/** The SDK serves a metric only after its first case, so these sources list all of them. */
const SDK_SOURCE = 'node_modules/@temporalio/core-bridge/sdk-core/crates';
const SDK_FILES = ['sdk-core/src/telemetry/metrics.rs', 'common/src/telemetry/metrics.rs', 'client/src/metrics.rs'];
/** Label values that a metric has only after their first case. */
const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = {
  code: Object.keys(ERROR_STATUS),
  operation: ['tooManyOpenRequests'],
  outcome: ['ok', 'failed'],
  state: ['OK'],
};
export class Served {
  readonly #names: ReadonlySet<string>;
  readonly #samples: ReadonlyMap<string, readonly Sample[]>;
  readonly #sdkSource = SDK_FILES.map((file) => readFileSync(join(projectRoot, SDK_SOURCE, file), 'utf8')).join('\n');

  constructor(scrapes: readonly Scrape[]) {
    this.#names = new Set(scrapes.flatMap(queryableNames));
    this.#samples = Map.groupBy(
      scrapes.flatMap(({ samples }) => samples),
      ({ name }) => name,
    );
  }

  /** The faults of an expression; empty when the processes serve all that it names. */
  findFaults(text: string): string[] {
    const { selectors, grouping } = readPromql(text);
    const labels = new Set([
      ...TARGET_LABELS,
      ...selectors.flatMap(({ metric }) => this.#labelsOf(metric) ?? grouping),
    ]);
    const unknown = grouping.filter((label) => !labels.has(label)).map((label) => `nothing has the label ${label}`);
    return [...unknown, ...selectors.flatMap((selector) => this.#findFaultsOf(selector))];
  }

  #findFaultsOf({ metric, matchers }: Selector): string[] {
    if (OWN_METRICS.has(metric) || this.#isOfSdk(metric)) return [];
    if (!this.#names.has(metric)) return [`${metric} is not served`];
    const labels = this.#labelsOf(metric);
    return matchers
      .filter(({ label }) => !TARGET_LABELS.includes(label))
      .flatMap((matcher) =>
        labels && !labels.includes(matcher.label)
          ? [`${metric} has no label ${matcher.label}`]
          : this.#findUnknownValues(metric, matcher),
      );
  }

  /** Checks literal values only: patterns and negations do not name values that must exist. */
  #findUnknownValues(metric: string, { label, operator, value }: Matcher): string[] {
    if (operator.startsWith('!') || !/^[\w|-]+$/.test(value)) return [];
    const served = (this.#samples.get(metric) ?? []).map(({ labels }) => labels[label]);
    const known = new Set([...served, ...(KNOWN_VALUES[label] ?? [])]);
    return value.split('|').flatMap((each) => (known.has(each) ? [] : [`no ${metric} has ${label}="${each}"`]));
  }

  /** Undefined when the metric has no sample. */
  #labelsOf(metric: string): readonly string[] | undefined {
    const samples = this.#samples.get(metric);
    return samples && [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))];
  }

  /** True for a metric of the SDK that has had no case yet. */
  #isOfSdk(metric: string): boolean {
    if (this.#names.has(metric) || !metric.startsWith('temporal_')) return false;
    const name = metric.replace(/^temporal_/, '').replace(/(_total|(_seconds)?_(bucket|sum|count))$/, '');
    return this.#sdkSource.includes(`"${name}"`);
  }
}
