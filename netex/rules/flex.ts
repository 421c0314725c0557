/** Rules for datasets of flexible lines only: LINE_10, NETEX_FILE_NAME_1, STOP_PLACE_IN_FLEX_COMMON_FILE. */
import type { Check } from './check.ts';
import { idOf } from './children.ts';
import { defineStructureRule } from './rule.ts';

export const LINE_10 = defineStructureRule({
  code: 'LINE_10',
  severity: 'ERROR',
  name: 'Flexible line - Line not allowed',
  meaning: 'Imported flexible dataset holds a regular Line',
  scope: 'line',
  profiles: ['flex'],
  example: '<lines><Line id="ABC:Line:1" …/></lines>',
  mend: 'Send regular lines under a codespace of their own; here a line is a FlexibleLine.',
});

export const NETEX_FILE_NAME_1 = defineStructureRule({
  code: 'NETEX_FILE_NAME_1',
  severity: 'ERROR',
  name: 'Invalid file name',
  meaning: 'File name is neither _CCC[_flexible]_shared_data.xml nor CCC_….xml',
  profiles: ['flex'],
  example: 'lines.xml',
  mend: 'Name a common file _ABC_flexible_shared_data.xml and a line file ABC_….xml, with your codespace for ABC.',
});

export const STOP_PLACE_IN_FLEX_COMMON_FILE = defineStructureRule({
  code: 'STOP_PLACE_IN_FLEX_COMMON_FILE',
  severity: 'ERROR',
  name: 'Flexible Line stopPlaces not allowed',
  meaning: 'Flexible common file holds stopPlaces',
  scope: 'common',
  profiles: ['flex'],
  example: '<SiteFrame …><stopPlaces>…</stopPlaces></SiteFrame>',
  mend: 'Leave the stopPlaces out: fixed stops come from the stop register, areas are flexibleStopPlaces.',
});

const FILE_NAME = /^(?:_[A-Z]{3}(?:_flexible)?_shared_data|[A-Z]{3}_.*)\.xml$/s;

const fileNames: Check = {
  rules: [NETEX_FILE_NAME_1],
  begin: (run) => ({
    finish() {
      if (FILE_NAME.test(run.fileName)) return;
      const { xmlns } = run.context;
      run.report(
        NETEX_FILE_NAME_1,
        { line: null, column: null, objectId: null },
        () =>
          `The file is called ${run.fileName}; expected _${xmlns}_flexible_shared_data.xml, _${xmlns}_shared_data.xml or ${xmlns}_….xml.`,
      );
    },
  }),
};

const noRegularLines: Check = {
  rules: [LINE_10],
  begin: (run) => ({
    start: {
      Line(element) {
        if (element.parent?.name !== 'lines') return;
        run.report(
          LINE_10,
          element,
          () => `Line${idOf(element)} stands in a dataset of flexible lines; expected a FlexibleLine.`,
        );
      },
    },
  }),
};

const noStopPlaces: Check = {
  rules: [STOP_PLACE_IN_FLEX_COMMON_FILE],
  looksIntoSiteFrames: true,
  begin: (run) => ({
    start: {
      stopPlaces(element) {
        if (element.parent?.name !== 'SiteFrame') return;
        run.report(
          STOP_PLACE_IN_FLEX_COMMON_FILE,
          element,
          () => 'The SiteFrame of the common file has stopPlaces; expected flexibleStopPlaces alone.',
        );
      },
    },
  }),
};

export const flexChecks: readonly Check[] = [fileNames, noRegularLines, noStopPlaces];
