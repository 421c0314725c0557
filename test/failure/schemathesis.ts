/**
 * Runs Schemathesis, a fuzzer for APIs, on a document. The versions are those of dev/setup/schemathesis.txt.
 * Never a part of `npm start` or `npm test`.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SchemathesisOptions {
  /** Holds the document and the configuration; Schemathesis writes its output there, too. */
  readonly directory: string;
  readonly document: string;
  readonly config: string;
  readonly url: string;
  /** Any of examples, coverage, fuzzing, stateful. */
  readonly phases: string;
  /** Number of examples for each operation. */
  readonly examples: number;
  readonly seed: number;
}

export interface Verdict {
  readonly cases: number;
  /** Requests that the document allows and that succeeded: the depth that the run reached. Chains are not counted. */
  readonly accepted: number;
  readonly failures: number;
  /** Of requests that the document allows, by operation (`POST /v1/orders`). */
  readonly rates: Readonly<Record<string, { readonly accepted: number; readonly all: number }>>;
  /** The printed output. */
  readonly text: string;
}

type Outcomes = Readonly<Record<'accepted' | 'unreachable' | 'conflicts' | 'rejected', number>>;

interface Report {
  readonly complete: boolean;
  readonly exit_code: number;
  readonly test_cases: { readonly generated: number; readonly unique_failures: number };
  readonly errors: readonly { readonly count: number }[];
  /** By operation, then by phase. */
  readonly valid_rates: Readonly<Record<string, Readonly<Record<string, Outcomes>>>>;
}

/**
 * Runs one thread, so that a seed repeats a run and the parser of Python 3.11 works. The option `-S` keeps packages of this
 * machine's Python out: only the installed versions run.
 */
export async function runSchemathesis(packages: string, options: SchemathesisOptions): Promise<Verdict> {
  const { directory, document, config, url, phases, examples, seed } = options;
  const reportPath = join(directory, `report-${phases}.json`);
  const args = [
    '-S',
    '-m',
    'schemathesis.cli',
    '--config-file',
    config,
    'run',
    document,
    '--url',
    url,
    '--phases',
    phases,
    '--max-examples',
    String(examples),
    '--seed',
    String(seed),
    '--workers',
    '1',
    '--no-shrink',
    '--no-color',
    '--continue-on-failure',
    '--generation-database',
    'none',
    '--report-json-path',
    reportPath,
  ];
  const text = await output('python3', args, directory, { ...process.env, PYTHONPATH: packages });
  const report = readReport(reportPath, text);
  const errors = report.errors.reduce((sum, { count }) => sum + count, 0);
  const failures = report.test_cases.unique_failures + errors;
  // With nothing to test, such as chains of a single operation, Schemathesis exits with this code, too.
  const well = report.complete && (report.exit_code === 0 || report.test_cases.generated === 0);
  const rates = Object.fromEntries(
    Object.entries(report.valid_rates).map(([label, phases]) => [label, ratesOf(Object.values(phases))]),
  );
  const accepted = Object.values(rates).reduce((sum, rate) => sum + rate.accepted, 0);
  return { cases: report.test_cases.generated, accepted, failures: Math.max(failures, well ? 0 : 1), rates, text };
}

function ratesOf(phases: readonly Outcomes[]) {
  const all = phases.flatMap((phase) => Object.values(phase));
  return {
    accepted: phases.reduce((sum, { accepted }) => sum + accepted, 0),
    all: all.reduce((sum, count) => sum + count, 0),
  };
}

function readReport(path: string, text: string): Report {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch {
    throw new Error(`schemathesis has written no report:\n${text}`);
  }
}

/** Output of both streams, for any exit code. */
function output(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
    }
    child.once('error', reject);
    child.once('close', () => resolve(text));
  });
}
