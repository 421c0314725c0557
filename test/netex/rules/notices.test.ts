import assert from 'node:assert/strict';
import { codesOf, composite, serviceFrame, validateCommon, validateLine } from '../support/sample-files.ts';

const FAMILY = /^NOTICE_/;
const notices = (content: string) => `<notices>${content}</notices>`;
const notice = (content: string) => `<Notice id="ABC:Notice:1" version="1">${content}</Notice>`;
const alternatives = (...content: string[]) =>
  notices(notice(`<alternativeTexts>${content.join('')}</alternativeTexts><Text>Ta med sykkel</Text>`));
const alternative = (text: string, attributes = '') => `<AlternativeText${attributes}>${text}</AlternativeText>`;
const assignment = (id: number, object: string, content = '', notice = '<NoticeRef ref="ABC:Notice:1"/>') =>
  `<NoticeAssignment id="ABC:NoticeAssignment:${id}" version="1" order="${id}">${notice}` +
  `<NoticedObjectRef ref="${object}" version="1"/>${content}</NoticeAssignment>`;
const frame = (name: string, content: string) => `<${name} id="ABC:${name}:1" version="1">${content}</${name}>`;
const assignments = (...content: string[]) => `<noticeAssignments>${content.join('')}</noticeAssignments>`;
const codes = (content: string) => codesOf(validateLine(serviceFrame(content)), FAMILY);

describe('rules: notices', () => {
  it('NOTICE_1: the notice itself has a text, not only its alternatives', () => {
    assert.deepEqual(codes(notices(notice('<Text>Ta med sykkel</Text>'))), []);
    const only =
      '<alternativeTexts><AlternativeText><Text lang="en">Bring it</Text></AlternativeText></alternativeTexts>';
    assert.deepEqual(codes(notices(notice(only))), ['NOTICE_1']);
    assert.deepEqual(codesOf(validateCommon(serviceFrame(notices(notice('')))), FAMILY), ['NOTICE_1']);
  });

  it('NOTICE_2 to NOTICE_4: alternative texts are checked in notices alone', () => {
    const empty = alternative('');
    assert.deepEqual(codes(alternatives(empty)), ['NOTICE_2']);
    assert.deepEqual(codes(alternatives(alternative('<Text/>'))), ['NOTICE_2', 'NOTICE_3']);
    assert.deepEqual(
      codes(`<lines><Line id="ABC:Line:1" version="1"><alternativeTexts>${empty}</alternativeTexts></Line></lines>`),
      [],
    );
  });

  it('NOTICE_4: languages are compared within a notice, in upper or lower case', () => {
    const english = alternative('<Text lang="en">Bring it</Text>');
    const again = alternative('<Text>Bring</Text>', ' useForLanguage="EN"');
    assert.deepEqual(codes(alternatives(english, again, english)), ['NOTICE_4 ×2']);
    const two = notices(
      [1, 2]
        .map(
          (id) =>
            `<Notice id="ABC:Notice:${id}" version="1"><alternativeTexts>${english}</alternativeTexts><Text>a</Text></Notice>`,
        )
        .join(''),
    );
    assert.deepEqual(codes(two), []);
  });

  it('NOTICE_5: repetition is found across frames; sections of a pattern differ', () => {
    const one = assignment(1, 'ABC:Line:1');
    assert.deepEqual(codes(assignments(one, assignment(2, 'ABC:Line:2'))), []);
    assert.deepEqual(codes(assignments(one, assignment(2, 'ABC:Line:1'), assignment(3, 'ABC:Line:1'))), [
      'NOTICE_5 ×2',
    ]);
    const frames =
      frame('ServiceFrame', assignments(one)) + frame('TimetableFrame', assignments(assignment(2, 'ABC:Line:1')));
    assert.deepEqual(codesOf(validateLine(composite(frames)), FAMILY), ['NOTICE_5']);
    const from = (point: number) => `<StartPointInPatternRef ref="ABC:StopPointInJourneyPattern:${point}"/>`;
    const stretches = [1, 2].map((point) => assignment(point, 'ABC:JourneyPattern:1', from(point)));
    assert.deepEqual(codes(assignments(...stretches)), []);
    assert.deepEqual(codesOf(validateCommon(serviceFrame(assignments(one, assignment(2, 'ABC:Line:1')))), FAMILY), []);
  });

  it('NOTICE_6, NOTICE_7: an assignment inside a journey is about that journey', () => {
    const bare = '<NoticeAssignment id="ABC:NoticeAssignment:1" version="1" order="1"/>';
    assert.deepEqual(codes(assignments(bare)), ['NOTICE_6', 'NOTICE_7']);
    const journey = `<vehicleJourneys><ServiceJourney id="ABC:ServiceJourney:1" version="1">${assignments(bare)}</ServiceJourney></vehicleJourneys>`;
    assert.deepEqual(codesOf(validateLine(composite(frame('TimetableFrame', journey))), FAMILY), []);
  });

  it('NOTICE_7: a notice inside the assignment is accepted', () => {
    assert.deepEqual(codes(assignments(assignment(1, 'ABC:Line:1', '', notice('<Text>Ta med sykkel</Text>')))), []);
    assert.deepEqual(codes(assignments(assignment(1, 'ABC:Line:1', '', notice('')))), ['NOTICE_1']);
  });
});
