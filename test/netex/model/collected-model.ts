/** The timetable model of a file given as text, in the form that rules receive. */
import type { TimetableModel } from '../../../netex/model/timetable-model.ts';
import { FileRun } from '../../../netex/rules/file-run.ts';
import type { ValidationContext } from '../../../netex/validation-context.ts';
import { Scanner } from '../../../netex/xml/scan.ts';
import { ABC } from '../support/sample-files.ts';

export function modelOf(xml: string, context: Partial<ValidationContext> = {}): TimetableModel {
  let collected: TimetableModel | undefined;
  const check = (_run: unknown, model: TimetableModel): void => {
    collected = model;
  };
  const run = new FileRun({ name: 'ABC_line.xml', kind: 'line' }, { ...ABC, ...context }, [], [{ rules: [], check }]);
  const scanner = new Scanner(run);
  scanner.write(xml);
  scanner.close();
  run.finish();
  if (!collected) throw new Error('No model was made.');
  return collected;
}
