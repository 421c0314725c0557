/** Texts of the page in both languages. GraphiQL's own texts are in English. */
import type { Language } from './page-setup.ts';

export interface Texts {
  readonly title: string;
  readonly dialect: string;
  readonly examples: string;
  readonly choose: string;
  readonly run: string;
  readonly help: string;
  readonly helpTitle: string;
  readonly helpLines: readonly string[];
  readonly otherLanguage: string;
  readonly otherLanguageCode: Language;
  readonly noAnswer: string;
}

export const TEXTS: Readonly<Record<Language, Texts>> = {
  nb: {
    title: 'Reiseplanlegger',
    dialect: 'Versjon',
    examples: 'Eksempel',
    choose: 'Velg et eksempel …',
    run: 'Kjør',
    help: 'Hjelp',
    helpTitle: 'Slik bruker du siden',
    helpLines: [
      'Velg et eksempel og trykk Kjør, eller skriv din egen spørring. Ctrl+Enter kjører, Ctrl+mellomrom foreslår felter.',
      'Dokumentasjonen av alle typer og felter åpnes med bokikonet.',
      'Alt går med tastaturet: Tab går videre, også ut av redigeringsfeltene. Penselen rykker inn for deg (Shift+Ctrl+P).',
      'Siden sender navnet samferd-ide i hodet {header}. Ditt program skal sende sitt eget: <firma>-<program>.',
    ],
    otherLanguage: 'English',
    otherLanguageCode: 'en',
    noAnswer: 'Tjenesten svarte ikke med JSON',
  },
  en: {
    title: 'Journey planner',
    dialect: 'Version',
    examples: 'Example',
    choose: 'Choose an example …',
    run: 'Run',
    help: 'Help',
    helpTitle: 'How to use this page',
    helpLines: [
      'Choose an example and press Run, or write a query of your own. Ctrl+Enter runs it, Ctrl+Space suggests fields.',
      'The book icon opens the documentation of all types and fields.',
      'Everything works by keyboard: Tab moves on, out of the editors too. The brush indents for you (Shift+Ctrl+P).',
      'The page sends the name samferd-ide in the header {header}. Your program must send its own: <company>-<application>.',
    ],
    otherLanguage: 'Norsk',
    otherLanguageCode: 'nb',
    noAnswer: 'The service did not answer with JSON',
  },
};
