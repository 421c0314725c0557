/**
 * A Dockerfile as data: its stages and their instructions, in the subset this project writes. Callers: the checks of the image, the try
 * that carries the instructions out without an engine. Throws for an instruction that nobody here would carry out.
 */

export interface Copy {
  readonly kind: 'copy';
  /** A stage; undefined: the project's folder. */
  readonly from: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

export type Instruction =
  | Copy
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'workdir'; readonly path: string }
  | { readonly kind: 'env'; readonly name: string; readonly value: string }
  | { readonly kind: 'arg'; readonly name: string; readonly value: string | undefined }
  | { readonly kind: 'user'; readonly name: string }
  | { readonly kind: 'entrypoint' | 'cmd'; readonly words: readonly string[] }
  | { readonly kind: 'stopsignal' | 'volume'; readonly text: string };

export interface Stage {
  /** Its number where it has no name. */
  readonly name: string;
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

export function parseDockerfile(text: string): readonly Stage[] {
  const stages: { name: string; base: string; instructions: Instruction[] }[] = [];
  const globals = new Map<string, string>();
  for (const line of logicalLines(text)) {
    const [, word = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(line) ?? [];
    if (word === 'FROM') {
      const [base = '', as, name] = rest.split(/\s+/);
      if (as !== undefined && as !== 'AS') throw new Error(`Not understood: ${line}`);
      const known = base.replace(/\$\{(\w+)\}/g, (_, variable) => globals.get(variable) ?? '');
      stages.push({ name: name ?? String(stages.length), base: known, instructions: [] });
      continue;
    }
    const instruction = parseInstruction(word, rest);
    const stage = stages.at(-1);
    if (stage) stage.instructions.push(instruction);
    else if (instruction.kind === 'arg') globals.set(instruction.name, instruction.value ?? '');
    else throw new Error(`Before the first FROM: ${line}`);
  }
  return stages;
}

/** Without comments; a backslash at the end of a line joins the next. */
function logicalLines(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  return lines
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter(Boolean);
}

function parseInstruction(word: string, rest: string): Instruction {
  switch (word) {
    case 'COPY':
      return parseCopy(rest);
    case 'RUN':
      return { kind: 'run', command: rest };
    case 'WORKDIR':
      return { kind: 'workdir', path: rest };
    case 'ENV': {
      const [, name, value] = /^(\w+)=(.*)$/.exec(rest) ?? [];
      if (name === undefined || value === undefined) throw new Error(`Not understood: ENV ${rest}`);
      return { kind: 'env', name, value };
    }
    case 'ARG': {
      const [name = '', value] = rest.split('=', 2);
      return { kind: 'arg', name, value };
    }
    case 'USER':
      return { kind: 'user', name: rest };
    case 'ENTRYPOINT':
    case 'CMD':
      return { kind: word === 'CMD' ? 'cmd' : 'entrypoint', words: parseWords(word, rest) };
    case 'STOPSIGNAL':
    case 'VOLUME':
      return { kind: word === 'VOLUME' ? 'volume' : 'stopsignal', text: rest };
    default:
      throw new Error(`Not understood: ${word} ${rest}`);
  }
}

/** Only the form without a shell. */
function parseWords(word: string, rest: string): readonly string[] {
  if (!rest.startsWith('['))
    throw new Error(`${word} must be a list, or a shell would stand before the process: ${rest}`);
  return JSON.parse(rest) as readonly string[];
}

function parseCopy(rest: string): Copy {
  const words = rest.split(/\s+/);
  const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined;
  const target = words.pop();
  if (target === undefined || words.length === 0 || words.some((each) => each.startsWith('--'))) {
    throw new Error(`Not understood: COPY ${rest}`);
  }
  return { kind: 'copy', from, sources: words, target };
}
