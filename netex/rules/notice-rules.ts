/** Rows of the catalogue for notices.ts. */
import { defineStructureRule, lineFileRule, type Rule } from './rule.ts';

function noticeRule(...[code, name, meaning, example, mend]: [string, string, string, string, string]): Rule {
  return defineStructureRule({ code, severity: 'ERROR', name, meaning, example, mend });
}

export const NOTICE_1 = noticeRule(
  'NOTICE_1',
  'Notice missing Text',
  'Notice without text',
  '<Notice id="ABC:Notice:1" version="1"/>',
  'Add the Text that passengers are to read.',
);
export const NOTICE_2 = noticeRule(
  'NOTICE_2',
  'Notice missing Text with alternative text',
  'Alternative notice text is empty',
  '<AlternativeText …><Text lang="en"/></AlternativeText>',
  'Add the text in the other language, or leave the AlternativeText out.',
);
export const NOTICE_3 = noticeRule(
  'NOTICE_3',
  'Notice missing language with alternative text',
  'Alternative notice text without language',
  '<AlternativeText …><Text>Bicycles are not carried</Text></AlternativeText>',
  'Say the language, e.g. <Text lang="en">.',
);
export const NOTICE_4 = noticeRule(
  'NOTICE_4',
  'Notice duplicated alternative texts',
  'Two alternative texts of a notice share a language',
  '<AlternativeText …><Text lang="en">…</Text></AlternativeText><AlternativeText …><Text lang="en">…</Text></AlternativeText>',
  'Keep one text for each language.',
);
export const NOTICE_5 = lineFileRule(
  'NOTICE_5',
  'WARNING',
  'Notice duplicated assignment',
  'Same notice assigned twice to the same object',
  'Two NoticeAssignments with the same NoticeRef and the same NoticedObjectRef',
  'Keep one of the assignments.',
);
export const NOTICE_6 = lineFileRule(
  'NOTICE_6',
  'ERROR',
  'Notice assignment missing reference to noticed object',
  'Notice assignment without object',
  '<NoticeAssignment …><NoticeRef ref="ABC:Notice:1"/></NoticeAssignment>',
  'Add the NoticedObjectRef of the line, pattern, stop or journey that the notice is about.',
);
export const NOTICE_7 = lineFileRule(
  'NOTICE_7',
  'ERROR',
  'Notice assignment missing reference to notice',
  'Notice assignment without notice',
  '<NoticeAssignment …><NoticedObjectRef ref="ABC:ServiceJourney:1"/></NoticeAssignment>',
  'Add the NoticeRef of the notice.',
);
