/** What the in-box page says, in Norwegian and English. */
export const LANGUAGES = ['nb', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface Texts {
  readonly title: string;
  readonly about: string;
  readonly empty: string;
  readonly received: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly noSubject: string;
  readonly back: string;
  readonly newMail: string;
  readonly htmlPart: string;
  readonly textPart: string;
  readonly attachments: string;
  readonly raw: string;
  readonly notFound: string;
  readonly otherLanguage: string;
}

export const TEXTS: Readonly<Record<Language, Texts>> = {
  nb: {
    title: 'Innboks for utvikling',
    about: 'All e-post fra denne tjenesten havner her. Ingenting sendes videre.',
    empty: 'Ingen e-post ennå.',
    received: 'Mottatt',
    from: 'Fra',
    to: 'Til',
    subject: 'Emne',
    noSubject: '(uten emne)',
    back: 'Til innboksen',
    newMail: 'Ny e-post – vis',
    htmlPart: 'Formatert innhold',
    textPart: 'Ren tekst',
    attachments: 'Vedlegg',
    raw: 'Last ned som .eml',
    notFound: 'Denne e-posten finnes ikke lenger.',
    otherLanguage: 'English',
  },
  en: {
    title: 'Development in-box',
    about: 'Every mail of this service ends up here. Nothing is sent on.',
    empty: 'No mail yet.',
    received: 'Received',
    from: 'From',
    to: 'To',
    subject: 'Subject',
    noSubject: '(no subject)',
    back: 'To the in-box',
    newMail: 'New mail – show',
    htmlPart: 'Formatted content',
    textPart: 'Plain text',
    attachments: 'Attachments',
    raw: 'Download as .eml',
    notFound: 'This mail is no longer here.',
    otherLanguage: 'Norsk',
  },
};

/** `?lang=` decides; else the first language of the browser that is Norwegian or English; else English. */
export function chooseLanguage(asked: string | null, acceptLanguage = ''): Language {
  const isNorwegian = (tag: string) => /^(nb|nn|no)\b/i.test(tag);
  const tags = asked ? [asked] : acceptLanguage.split(',').map((each) => each.trim());
  const known = tags.find((tag) => isNorwegian(tag) || /^en\b/i.test(tag));
  return known !== undefined && isNorwegian(known) ? 'nb' : 'en';
}
