/**
 * Makes demo data of a few small lines, for tests of imports. It is valid and has every kind of file and element, in a
 * fiftieth of the bytes. The stop register is that of the whole region. Tests of the demo data use the whole of it.
 */
import { type DemoData, generateDemo } from '../../dev/demo/generate.ts';
import { DEMO_DATE, temporaryFolder } from './demo-dataset.ts';

/** A school and a works line, one on request, a ferry, a boat, two coaches. */
const LINES = [41, 42, 180, 302, 303, 401, 402];

let made: Promise<DemoData> | undefined;

export function useFewLines(): Promise<DemoData> {
  made ??= generateDemo({ date: DEMO_DATE, directory: temporaryFolder(), lines: LINES });
  return made;
}
