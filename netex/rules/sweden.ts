/**
 * Validity in the Swedish profile, which accepts ValidBetween instead of validityConditions: COMPOSITE_FRAME_SE_1,
 * VALIDITY_CONDITIONS_IN_COMMON_FILE_SE_1. The profile leaves out the rules that these replace (profile-rules.ts).
 */
import type { OpenElement } from '../xml/scan.ts';
import type { Check } from './check.ts';
import { idOf } from './children.ts';
import { type NotedPlace, notePlace } from './finding-list.ts';
import { defineStructureRule } from './rule.ts';

const SAY_WHEN = 'Add validityConditions, or a ValidBetween with FromDate and ToDate.';

export const COMPOSITE_FRAME_SE_1 = defineStructureRule({
  code: 'COMPOSITE_FRAME_SE_1',
  severity: 'ERROR',
  name: 'SE/CompositeFrame missing ValidityCondition/ValidBetween',
  meaning: 'Swedish profile: CompositeFrame lacks validity',
  profiles: ['sweden'],
  example:
    '<CompositeFrame id="ABC:CompositeFrame:1" version="1"><frames>…</frames></CompositeFrame> without validityConditions or ValidBetween',
  mend: SAY_WHEN,
});

export const VALIDITY_CONDITIONS_IN_COMMON_FILE_SE_1 = defineStructureRule({
  code: 'VALIDITY_CONDITIONS_IN_COMMON_FILE_SE_1',
  severity: 'ERROR',
  name: 'SE/Validity condition on common frames',
  meaning: 'Swedish profile: no common frame has validity',
  scope: 'common',
  profiles: ['sweden'],
  example: '<dataObjects><ServiceFrame …>…</ServiceFrame></dataObjects> without validityConditions or ValidBetween',
  mend: `${SAY_WHEN} One of ServiceFrame, ServiceCalendarFrame and SiteFrame is enough.`,
});

const COUNTED = ['ServiceFrame', 'ServiceCalendarFrame', 'SiteFrame'];

const validityInSweden: Check = {
  rules: [COMPOSITE_FRAME_SE_1, VALIDITY_CONDITIONS_IN_COMMON_FILE_SE_1],
  looksIntoSiteFrames: true,
  begin(run) {
    let dataObjects: NotedPlace | undefined;
    let frame: OpenElement | undefined;
    let hasValidity = false;
    let hasComposite = false;
    let anyHasValidity = false;
    const openFrame = (element: OpenElement): void => {
      if (element.parent?.name !== 'dataObjects') return;
      dataObjects ??= notePlace(element.parent);
      frame = element;
      hasValidity = false;
    };
    const noteValidity = ({ parent }: OpenElement): void => {
      if (frame !== undefined && parent === frame) hasValidity = true;
    };
    const closeFrame = (element: OpenElement): void => {
      if (element !== frame) return;
      frame = undefined;
      if (hasValidity && COUNTED.includes(element.name)) anyHasValidity = true;
      if (element.name !== 'CompositeFrame') return;
      hasComposite = true;
      if (hasValidity) return;
      run.report(
        COMPOSITE_FRAME_SE_1,
        element,
        () => `CompositeFrame${idOf(element)} does not say when it holds; expected validityConditions or ValidBetween.`,
      );
    };
    const frames = ['CompositeFrame', ...COUNTED];
    return {
      start: {
        ...Object.fromEntries(frames.map((name) => [name, openFrame])),
        validityConditions: noteValidity,
        ValidBetween: noteValidity,
      },
      end: Object.fromEntries(frames.map((name) => [name, closeFrame])),
      finish() {
        if (hasComposite || anyHasValidity) return;
        run.report(
          VALIDITY_CONDITIONS_IN_COMMON_FILE_SE_1,
          dataObjects ?? { line: null, column: null, objectId: null },
          () =>
            `None of the frames says when it holds; expected validityConditions or ValidBetween in one of ${COUNTED.join(', ')}.`,
        );
      },
    };
  },
};

export const swedenChecks: readonly Check[] = [validityInSweden];
