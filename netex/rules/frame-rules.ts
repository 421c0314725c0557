/** Rows of the catalogue for frames.ts. */
import { defineStructureRule, type Rule } from './rule.ts';

const SAY_WHEN = 'Add validityConditions with an AvailabilityCondition or a ValidBetween.';
const TO_LINES = 'Move the TimetableFrame into line files; a common file holds what lines share.';
const NO_STOPS = 'Leave the SiteFrame out and refer to the stops of the stop register.';

export const COMPOSITE_FRAME_SITE_FRAME = defineStructureRule({
  code: 'COMPOSITE_FRAME_SITE_FRAME',
  severity: 'WARNING',
  name: 'CompositeFrame - unexpected SiteFrame',
  meaning: 'A CompositeFrame holds a SiteFrame; stops come from the stop register',
  example: '<CompositeFrame …><frames><SiteFrame …/></frames></CompositeFrame>',
  mend: NO_STOPS,
});

export const COMPOSITE_TIMETABLE_FRAME_IN_COMMON_FILE = defineStructureRule({
  code: 'COMPOSITE_TIMETABLE_FRAME_IN_COMMON_FILE',
  severity: 'ERROR',
  name: 'CompositeFrame - Illegal TimetableFrame in common file',
  meaning: "A common file's CompositeFrame holds a TimetableFrame",
  scope: 'common',
  example: '_ABC_shared_data.xml with <frames><TimetableFrame …/></frames>',
  mend: TO_LINES,
});

export const COMPOSITE_FRAME_1 = defineStructureRule({
  code: 'COMPOSITE_FRAME_1',
  severity: 'ERROR',
  name: 'CompositeFrame - missing ValidityCondition',
  meaning: 'CompositeFrame has no validityConditions',
  example:
    '<CompositeFrame id="ABC:CompositeFrame:1" version="1"><frames>…</frames></CompositeFrame> without validityConditions',
  mend: SAY_WHEN,
});

export const COMPOSITE_FRAME_2 = defineStructureRule({
  code: 'COMPOSITE_FRAME_2',
  severity: 'WARNING',
  name: 'CompositeFrame - invalid nested ValidityCondition',
  meaning: 'validityConditions repeated on a frame (or deeper) inside a CompositeFrame',
  example: '<CompositeFrame …><frames><ServiceFrame …><validityConditions>…',
  mend: 'Keep the validityConditions of the CompositeFrame and leave the others out.',
});

export const RESOURCE_FRAME_IN_LINE_FILE = defineStructureRule({
  code: 'RESOURCE_FRAME_IN_LINE_FILE',
  severity: 'ERROR',
  name: 'ResourceFrame must be exactly one',
  meaning: 'Line file without CompositeFrame must hold exactly one ResourceFrame',
  scope: 'line',
  example: '<dataObjects><ServiceFrame …/><TimetableFrame …/></dataObjects>',
  mend: 'Put all operators and authorities of the file into one ResourceFrame.',
});

export const TIMETABLE_FRAME_IN_COMMON_FILE = defineStructureRule({
  code: 'TIMETABLE_FRAME_IN_COMMON_FILE',
  severity: 'ERROR',
  name: 'TimetableFrame illegal in Common file',
  meaning: 'A common file holds a TimetableFrame outside a CompositeFrame',
  scope: 'common',
  example: '_ABC_shared_data.xml with <dataObjects><TimetableFrame …/></dataObjects>',
  mend: TO_LINES,
});

export const SITE_FRAME_IN_LINE_FILE = defineStructureRule({
  code: 'SITE_FRAME_IN_LINE_FILE',
  severity: 'WARNING',
  name: 'SiteFrame unexpected SiteFrame in Line file',
  meaning: 'Line file holds a SiteFrame outside a CompositeFrame',
  scope: 'line',
  example: '<dataObjects><SiteFrame …/></dataObjects>',
  mend: NO_STOPS,
});

export const SITE_FRAME_IN_COMMON_FILE = defineStructureRule({
  code: 'SITE_FRAME_IN_COMMON_FILE',
  severity: 'WARNING',
  name: 'SiteFrame unexpected SiteFrame in Common file',
  meaning: 'Common file holds a SiteFrame outside a CompositeFrame',
  scope: 'common',
  example: '<dataObjects><SiteFrame …/></dataObjects>',
  mend: NO_STOPS,
});

function anyFrameRule(scope: 'line' | 'common', number: number, name: string, meaning: string): Rule {
  return defineStructureRule({
    code: `VALIDITY_CONDITIONS_IN_${scope.toUpperCase()}_FILE_${number}`,
    severity: 'ERROR',
    name,
    meaning,
    scope,
    example: '<dataObjects><ServiceFrame …>…</ServiceFrame></dataObjects> without validityConditions',
    mend: `${SAY_WHEN} One of the frames is enough.`,
  });
}

function severalFramesRule(scope: 'line' | 'common', number: number, frame: string, name: string): Rule {
  return defineStructureRule({
    code: `VALIDITY_CONDITIONS_IN_${scope.toUpperCase()}_FILE_${number}`,
    severity: 'ERROR',
    name,
    meaning: `Several ${frame}s (without CompositeFrame) and one of them lacks validity conditions`,
    scope,
    example: `<${frame} …><validityConditions>…</validityConditions></${frame}><${frame} …/>`,
    mend: `${SAY_WHEN} Each ${frame} needs its own.`,
  });
}

export const VALIDITY_CONDITIONS_IN_LINE_FILE_1 = anyFrameRule(
  'line',
  1,
  'ValidityConditions missing in all frames',
  'Line file without CompositeFrame: none of its Service, ServiceCalendar or Timetable frames has validity conditions',
);
export const VALIDITY_CONDITIONS_IN_LINE_FILE_2 = severalFramesRule(
  ...(['line', 2, 'ServiceFrame', 'ValidityConditions missing in ServiceFrames'] as const),
);
export const VALIDITY_CONDITIONS_IN_LINE_FILE_3 = severalFramesRule(
  ...(['line', 3, 'ServiceCalendarFrame', 'ValidityConditions missing in ServiceCalendarFrames'] as const),
);
export const VALIDITY_CONDITIONS_IN_LINE_FILE_4 = severalFramesRule(
  ...(['line', 4, 'TimetableFrame', 'ValidityConditions missing in TimeTableFrames'] as const),
);
export const VALIDITY_CONDITIONS_IN_LINE_FILE_5 = severalFramesRule(
  ...(['line', 5, 'VehicleScheduleFrame', 'ValidityConditions missing in VehicleScheduleFrame'] as const),
);
export const VALIDITY_CONDITIONS_IN_COMMON_FILE_1 = anyFrameRule(
  'common',
  1,
  'ValidityConditions missing in ServiceFrame or ServiceCalendarFrame',
  'Common file without CompositeFrame: neither Service nor ServiceCalendar frame has validity conditions',
);
export const VALIDITY_CONDITIONS_IN_COMMON_FILE_2 = severalFramesRule(
  ...(['common', 2, 'ResourceFrame', 'ValidityConditions missing in ResourceFrames'] as const),
);
export const VALIDITY_CONDITIONS_IN_COMMON_FILE_3 = severalFramesRule(
  ...(['common', 3, 'ServiceFrame', 'ValidityConditions missing in ServiceFrames'] as const),
);
export const VALIDITY_CONDITIONS_IN_COMMON_FILE_4 = severalFramesRule(
  ...(['common', 4, 'ServiceCalendarFrame', 'ValidityConditions missing in ServiceCalendarFrames'] as const),
);
