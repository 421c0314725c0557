/** Known vulnerabilities of the packages, by the registry's own data. Callers: check.ts, tests. */
import { execFile } from 'node:child_process';
import { z } from 'zod';
import type { AllowedAdvisory } from './allowed.ts';

export interface Advisory {
  /** As `GHSA-xxxx-xxxx-xxxx`. */
  readonly id: string;
  readonly package: string;
  readonly title: string;
  readonly severity: string;
}

/** Reads the output of `npm audit`: advisories, or why there are none. */
const advisory = z.object({ name: z.string(), title: z.string(), url: z.string(), severity: z.string() });
const report = z.object({
  vulnerabilities: z.record(z.string(), z.object({ via: z.array(z.union([z.string(), advisory])) })),
});
const failure = z.object({ message: z.string() });

const TIMEOUT_MS = 30_000;

/** Throws one sentence when the registry's data cannot be had: that is not "no vulnerability". */
export async function fetchAdvisories(root: string): Promise<readonly Advisory[]> {
  const args = ['audit', '--json', '--package-lock-only', '--fetch-retries=1', '--fetch-timeout=10000'];
  const output = await new Promise<string>((resolve) => {
    // Its exit code only says whether there are advisories; its output says all.
    execFile('npm', args, { cwd: root, timeout: TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) =>
      resolve(stdout),
    );
  });
  return parseAudit(output);
}

export function parseAudit(output: string): readonly Advisory[] {
  const parsed = parseJson(output);
  const { success, data } = report.safeParse(parsed);
  if (!success) {
    const why = failure.safeParse(parsed);
    throw new Error(
      why.success ? why.data.message.replaceAll(/https?:\S+/g, 'the registry') : 'npm audit gave no answer',
    );
  }
  const found = Object.values(data.vulnerabilities).flatMap(({ via }) =>
    via.filter((each) => typeof each !== 'string'),
  );
  const byId = new Map(
    found.map(({ name, title, url, severity }) => {
      const id = url.split('/').at(-1) ?? url;
      return [`${id} ${name}`, { id, package: name, title, severity }] as const;
    }),
  );
  return [...byId.values()];
}

/** One sentence for each advisory that is not allowed on this day, and for each allowance that has no advisory any more. */
export function findAdvisoryFaults(
  advisories: readonly Advisory[],
  allowed: readonly AllowedAdvisory[],
  today: string,
): readonly string[] {
  const isAllowed = (found: Advisory) =>
    allowed.some((each) => each.id === found.id && each.package === found.package && today < each.until);
  const unused = allowed.filter(({ id }) => !advisories.some((each) => each.id === id));
  return [
    ...advisories
      .filter((each) => !isAllowed(each))
      .map(({ id, package: name, severity, title }) => `${name} has the vulnerability ${id} (${severity}): ${title}`),
    ...unused.map(({ id }) => `${id} concerns no package any more: remove it from the allowed ones`),
  ];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
