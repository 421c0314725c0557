/** Notices and their texts: NOTICE_1 to NOTICE_4. Their objects: notice-assignments.ts. */
import type { OpenElement } from '../xml/scan.ts';
import type { Check, RuleRun } from './check.ts';
import { demandChildren, idOf } from './children.ts';
import { noticeAssignmentChecks } from './notice-assignments.ts';
import * as rules from './notice-rules.ts';

/** Watches the alternative texts of one notice after the other. */
class AlternativeTextWatch {
  readonly #run: RuleRun;
  /** Language and attribute of the open notice's texts so far. */
  readonly #reported = new Set<string>();
  #isOpen = false;
  #text: string | undefined;
  #language: string | undefined;

  constructor(run: RuleRun) {
    this.#run = run;
  }

  openNotice(): void {
    this.#reported.clear();
  }

  open({ parent, attributes }: OpenElement): void {
    this.#isOpen = parent?.name === 'alternativeTexts' && parent.parent?.name === 'Notice';
    this.#text = undefined;
    this.#language = attributes.useForLanguage;
  }

  noteText({ parent, text, attributes }: OpenElement): void {
    if (!this.#isOpen || parent?.name !== 'AlternativeText') return;
    this.#text = text;
    if (attributes.lang !== undefined) this.#language = attributes.lang;
  }

  close(alternative: OpenElement): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const notice = alternative.parent?.parent;
    const owner = notice ? `Notice${idOf(notice)}` : 'a notice';
    const language = this.#language?.trim();
    if (this.#text === undefined || this.#text.trim() === '') {
      this.#run.report(
        rules.NOTICE_2,
        alternative,
        () => `An AlternativeText of ${owner} has no text; expected a Text with something in it.`,
      );
    }
    if (!language) {
      if (this.#text === undefined) return;
      this.#run.report(
        rules.NOTICE_3,
        alternative,
        () => `An AlternativeText of ${owner} does not say its language; expected e.g. <Text lang="en">.`,
      );
      return;
    }
    // Texts for different attributes, such as the notice's Text and Name, do not conflict.
    const key = `${language.toLowerCase()} ${alternative.attributes.attributeName ?? 'Text'}`;
    if (!this.#reported.has(key)) this.#reported.add(key);
    else {
      this.#run.report(
        rules.NOTICE_4,
        alternative,
        () => `${owner} has more than one AlternativeText in the language "${language}"; expected one.`,
      );
    }
  }
}

const alternativeTextsDiffer: Check = {
  rules: [rules.NOTICE_2, rules.NOTICE_3, rules.NOTICE_4],
  begin(run) {
    const watch = new AlternativeTextWatch(run);
    return {
      start: { Notice: () => watch.openNotice(), AlternativeText: (element) => watch.open(element) },
      end: { Text: (element) => watch.noteText(element), AlternativeText: (element) => watch.close(element) },
    };
  },
};

export const noticeChecks: readonly Check[] = [
  demandChildren({ element: 'Notice' }, [{ rule: rules.NOTICE_1, child: 'Text', filled: true }]),
  alternativeTextsDiffer,
  ...noticeAssignmentChecks,
];
