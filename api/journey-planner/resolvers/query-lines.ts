/** Resolves `lines`: by ids, or by further conditions. */
import type { Line } from '../../../planner/model/entities.ts';
import { type Found, given, pickAll, pickNamed, pickWhere } from './lists.ts';
import { transportModesOf } from './modes.ts';
import type { RequestContext } from './request-context.ts';

type Texts = readonly (string | null)[] | null;

export interface LinesArgs {
  readonly ids?: Texts;
  readonly name?: string | null;
  readonly publicCode?: string | null;
  readonly publicCodes?: Texts;
  readonly transportModes?: Texts;
  readonly authorities?: Texts;
  readonly flexibleOnly?: boolean | null;
  readonly flexibleLineTypes?: Texts;
}

export function lines(args: LinesArgs, context: RequestContext): Found<Line | null> {
  const { catalogue } = context.timetable;
  if (args.ids) return pickNamed(catalogue.lines, args.ids, 'lines', context);
  const accepts = lineTest(args, context);
  return accepts ? pickWhere(catalogue.lines, 'lines', context, accepts) : pickAll(catalogue.lines, 'lines', context);
}

/** A name matches by its beginning, ignoring case. Undefined when nothing restricts the lines. */
function lineTest(args: LinesArgs, context: RequestContext): ((line: Line) => boolean) | undefined {
  const { authorities } = context.timetable.catalogue;
  const tests: ((line: Line) => boolean)[] = [];
  const name = args.name?.toLocaleLowerCase();
  if (name) tests.push((line) => line.name?.toLocaleLowerCase().startsWith(name) ?? false);
  if (args.publicCode) tests.push(({ publicCode }) => publicCode === args.publicCode);
  const codes = given(args.publicCodes);
  if (codes) tests.push(({ publicCode }) => publicCode !== undefined && codes.has(publicCode));
  const modes = transportModesOf(args.transportModes, context.dialect);
  if (modes) tests.push(({ mode }) => modes.has(mode));
  const ids = given(args.authorities);
  if (ids) tests.push(({ authority }) => ids.has(authorities.at(authority).id));
  if (args.flexibleOnly) tests.push(({ flexibleLineType }) => flexibleLineType !== undefined);
  const types = given(args.flexibleLineTypes);
  if (types) tests.push(({ flexibleLineType }) => flexibleLineType !== undefined && types.has(flexibleLineType));
  return tests.length > 0 ? (line) => tests.every((test) => test(line)) : undefined;
}
