/** Assignments of notices to objects: NOTICE_5 to NOTICE_7. */
import { HashSet } from '../dataset/hash-set.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { Check, RuleRun } from './check.ts';
import { idOf } from './children.ts';
import * as rules from './notice-rules.ts';

/**
 * Watches the assignments of a frame. An assignment inside a journey is about that journey and needs no reference to
 * it.
 */
class AssignmentWatch {
  readonly #run: RuleRun;
  /** Hashes of notice and target together. */
  readonly #seen = new HashSet();
  /** Depth of the open assignment, 0 for none. */
  #depth = 0;
  #hasNotice = false;
  #hasObject = false;
  #notice = '';
  #target = '';

  constructor(run: RuleRun) {
    this.#run = run;
  }

  open({ parent, depth }: OpenElement): void {
    const isOfFrame = parent?.name === 'noticeAssignments' && parent.parent?.name.endsWith('Frame') === true;
    this.#depth = isOfFrame ? depth : 0;
    this.#hasNotice = false;
    this.#hasObject = false;
    this.#notice = '';
    this.#target = '';
  }

  noteNotice(notice: OpenElement): void {
    if (!this.#isPart(notice)) return;
    this.#hasNotice = true;
    this.#notice = notice.attributes.ref ?? '';
  }

  noteObject(object: OpenElement): void {
    if (!this.#isPart(object)) return;
    this.#hasObject = true;
    this.notePart(object);
  }

  /** Assignments to different stretches of a pattern are not duplicates. */
  notePart(part: OpenElement): void {
    if (this.#isPart(part)) this.#target += ` ${part.name} ${part.attributes.ref}`;
  }

  close(assignment: OpenElement): void {
    if (assignment.depth !== this.#depth) return;
    this.#depth = 0;
    const run = this.#run;
    if (!this.#hasObject) {
      run.report(
        rules.NOTICE_6,
        assignment,
        () => `NoticeAssignment${idOf(assignment)} does not say what the notice is about; expected a NoticedObjectRef.`,
      );
    }
    if (!this.#hasNotice) {
      run.report(
        rules.NOTICE_7,
        assignment,
        () => `NoticeAssignment${idOf(assignment)} names no notice; expected a NoticeRef.`,
      );
    }
    if (this.#hasObject && this.#notice !== '') this.#checkRepetition(assignment);
  }

  #checkRepetition(assignment: OpenElement): void {
    const { hasher } = this.#run;
    const notice = this.#notice;
    hasher.hash(notice + this.#target);
    if (this.#seen.add(hasher.high, hasher.low)) return;
    this.#run.report(
      rules.NOTICE_5,
      assignment,
      () =>
        `NoticeAssignment${idOf(assignment)} gives ${notice} to an object that has it already; expected one assignment for both.`,
    );
  }

  #isPart(element: OpenElement): boolean {
    return this.#depth > 0 && element.depth === this.#depth + 1;
  }
}

const assignmentsAreWhole: Check = {
  rules: [rules.NOTICE_5, rules.NOTICE_6, rules.NOTICE_7],
  begin(run) {
    const watch = new AssignmentWatch(run);
    const noteNotice = (notice: OpenElement): void => watch.noteNotice(notice);
    const notePart = (part: OpenElement): void => watch.notePart(part);
    return {
      start: {
        NoticeAssignment: (assignment) => watch.open(assignment),
        NoticeRef: noteNotice,
        Notice: noteNotice,
        NoticedObjectRef: (object) => watch.noteObject(object),
        StartPointInPatternRef: notePart,
        EndPointInPatternRef: notePart,
      },
      end: { NoticeAssignment: (assignment) => watch.close(assignment) },
    };
  },
};

export const noticeAssignmentChecks: readonly Check[] = [assignmentsAreWhole];
