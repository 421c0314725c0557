/**
 * A Dockerfile as data: its stages and those of their instructions that the checks of the image and its try without an
 * engine look at. npm `dockerfile-ast` reads the file. Throws for an instruction that the try could not carry out.
 */
import { type Copy as CopyLine, type Dockerfile, DockerfileParser, type Instruction as Line } from 'dockerfile-ast';

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
  | { readonly kind: 'env' | 'arg'; readonly name: string; readonly value: string }
  | { readonly kind: 'user'; readonly name: string }
  | { readonly kind: 'entrypoint' | 'cmd'; readonly words: readonly string[] };

export interface Stage {
  /** Its number where it has no name. */
  readonly name: string;
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

const IGNORED = ['FROM', 'WORKDIR', 'STOPSIGNAL', 'VOLUME'];

export function parseDockerfile(text: string): readonly Stage[] {
  const file = DockerfileParser.parse(text);
  const stages: { name: string; base: string; instructions: Instruction[] }[] = [];
  for (const line of file.getInstructions()) {
    if (line.getKeyword() === 'FROM') stages.push({ ...describeStage(file, line, stages.length), instructions: [] });
    const instruction = IGNORED.includes(line.getKeyword()) ? undefined : readInstruction(line);
    if (instruction) stages.at(-1)?.instructions.push(instruction);
  }
  return stages;
}

/** `FROM image AS name`, with the arguments that stand before the first stage put in. */
function describeStage(file: Dockerfile, line: Line, number: number): { name: string; base: string } {
  const [base = '', , name] = wordsOf(line);
  const known = new Map(file.getInitialARGs().map((arg) => readAssignment(wordsOf(arg)[0])));
  return {
    name: name ?? String(number),
    base: base.replace(/\$\{(\w+)\}/g, (_, variable) => known.get(variable) ?? ''),
  };
}

function readInstruction(line: Line): Instruction {
  const words = wordsOf(line);
  const keyword = line.getKeyword();
  if (keyword === 'COPY') return readCopy(line as CopyLine, words);
  // Its arguments one after the other: without the line breaks.
  if (keyword === 'RUN') return { kind: 'run', command: words.join(' ') };
  if (keyword === 'USER') return { kind: 'user', name: words[0] ?? '' };
  if (keyword === 'ENV' || keyword === 'ARG') {
    const [name, value] = readAssignment(words[0]);
    return { kind: keyword === 'ENV' ? 'env' : 'arg', name, value };
  }
  if (keyword === 'CMD' || keyword === 'ENTRYPOINT') {
    const list = line.getArgumentsContent() ?? '';
    if (!list.startsWith('[')) throw new Error(`${keyword} must be a list, or a shell would stand before the process`);
    return { kind: keyword === 'CMD' ? 'cmd' : 'entrypoint', words: JSON.parse(list) as string[] };
  }
  throw new Error(`Not understood: ${line.toString()}`);
}

function readCopy(line: CopyLine, words: readonly string[]): Copy {
  const [target = '', ...sources] = words.filter((word) => !word.startsWith('--from=')).reverse();
  if (sources.length === 0 || sources.some((each) => each.startsWith('--'))) {
    throw new Error(`Not understood: ${line.toString()}`);
  }
  return { kind: 'copy', from: line.getFromFlag()?.getValue() ?? undefined, sources: sources.reverse(), target };
}

const wordsOf = (line: Line): readonly string[] => line.getArguments().map((argument) => argument.getValue());

function readAssignment(word = ''): [name: string, value: string] {
  const [name = '', ...value] = word.split('=');
  return [name, value.join('=')];
}
