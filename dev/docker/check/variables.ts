/** Faults of the variables: one that env.example does not describe, a secret with a default, a description without a reader. */
import { listVariables } from '../compose-file.ts';
import type { CompositionTexts } from './composition.ts';

const SECRET = /PASSWORD|SECRET|_KEYS?$/;
/** May be empty: some brokers ask for no login. */
const OPTIONAL_SECRETS: ReadonlySet<string> = new Set(['KAFKA_PASSWORD']);

interface Described {
  readonly name: string;
  readonly value: string;
  readonly isOptional: boolean;
  readonly hasComment: boolean;
}

/** `NAME=` and `#NAME=default`, each below a comment of its own or in a group that has one. */
export function readEnvExample(text: string): readonly Described[] {
  const found: Described[] = [];
  let commented = false;
  for (const line of text.split('\n')) {
    const [, hash, name, value] = /^(#?)([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) {
      found.push({ name, value, isOptional: hash === '#', hasComment: commented });
    } else commented = line.startsWith('# ');
  }
  return found;
}

export function checkVariables({ compose, envExample }: CompositionTexts): readonly string[] {
  const uses = listVariables(compose);
  const described = new Map(readEnvExample(envExample).map((each) => [each.name, each]));
  const names = new Set(uses.map(({ name }) => name));
  return [
    ...[...names].flatMap((name) =>
      checkUse(
        name,
        uses.filter((use) => use.name === name),
        described.get(name),
      ),
    ),
    ...[...described.keys()]
      .filter((name) => !names.has(name))
      .map((name) => `${name} is described and nobody reads it`),
  ];
}

function checkUse(
  name: string,
  uses: ReturnType<typeof listVariables>,
  described: Described | undefined,
): readonly string[] {
  const defaults = new Set(uses.flatMap(({ usual }) => (usual === undefined ? [] : [usual])));
  const isRequired = uses.some(({ required }) => required);
  if (!described) return [`${name} is not described in env.example`];
  const faults: string[] = [];
  if (!described.hasComment) faults.push(`${name} stands in env.example without a word`);
  if (defaults.size > 1) faults.push(`${name} has several defaults: ${[...defaults].join(', ')}`);
  const mayBeEmpty = OPTIONAL_SECRETS.has(name) && defaults.size === 1 && defaults.has('');
  if (SECRET.test(name) && defaults.size > 0 && !mayBeEmpty) faults.push(`${name} is a secret and has a default`);
  if (defaults.size === 0 && !isRequired) faults.push(`${name} has no default, and the engine does not ask for it`);
  if (described.isOptional !== defaults.size > 0)
    faults.push(`${name} is ${described.isOptional ? 'not ' : ''}optional, other than env.example says`);
  if (!described.isOptional && described.value !== '') faults.push(`${name} has a value in env.example`);
  if (described.isOptional && !defaults.has(described.value))
    faults.push(`${name} has another default than env.example says`);
  return faults;
}
