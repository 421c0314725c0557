/** The words of the documentation pages in their two languages. The documents themselves are English. */
import Negotiator from 'negotiator';

export const LANGUAGES = ['en', 'nb'] as const;
export type PageLanguage = (typeof LANGUAGES)[number];

export const pageTexts = {
  en: {
    language: 'English',
    index: 'Interfaces',
    indexHint: 'The OpenAPI documents that this server checks its requests against.',
    skip: 'To the content',
    documents: 'Documents',
    contents: 'Contents',
    operations: 'Operations',
    schemas: 'Schemas',
    version: 'Version',
    download: 'The document as',
    noToken: 'No token',
    token: 'Token with the scope',
    anyToken: 'Any valid token',
    deprecated: 'Deprecated',
    parameters: 'Parameters',
    body: 'Request body',
    answers: 'Answers',
    headers: 'Headers',
    example: 'Example',
    required: 'required',
    optional: 'optional',
    listOf: 'list of',
    oneOf: 'One of',
    allOf: 'All of',
    values: 'Values',
    default: 'Default',
    places: { path: 'in the path', query: 'in the query', header: 'header', cookie: 'cookie' },
    noOtherMembers: 'No other members are allowed.',
  },
  nb: {
    language: 'Norsk',
    index: 'Grensesnitt',
    indexHint: 'OpenAPI-dokumentene som denne tjeneren kontrollerer forespørsler mot. De er skrevet på engelsk.',
    skip: 'Til innholdet',
    documents: 'Dokumenter',
    contents: 'Innhold',
    operations: 'Operasjoner',
    schemas: 'Skjemaer',
    version: 'Versjon',
    download: 'Dokumentet som',
    noToken: 'Uten token',
    token: 'Token med omfanget',
    anyToken: 'Et hvilket som helst gyldig token',
    deprecated: 'Utgår',
    parameters: 'Parametere',
    body: 'Innhold i forespørselen',
    answers: 'Svar',
    headers: 'Overskrifter',
    example: 'Eksempel',
    required: 'påkrevd',
    optional: 'valgfri',
    listOf: 'liste av',
    oneOf: 'En av',
    allOf: 'Alle av',
    values: 'Verdier',
    default: 'Standardverdi',
    places: { path: 'i stien', query: 'i spørringen', header: 'overskrift', cookie: 'informasjonskapsel' },
    noOtherMembers: 'Ingen andre felter er tillatt.',
  },
} as const;

export type PageTexts = (typeof pageTexts)[PageLanguage];

/** `wanted`: of the address, and wins. Norwegian of either form is answered in Bokmål. */
export function chooseLanguage(wanted: string | null, accepted: string | undefined): PageLanguage {
  if (wanted === 'nb' || wanted === 'en') return wanted;
  const first = new Negotiator({ headers: { 'accept-language': accepted ?? '' } }).language(['en', 'nb', 'nn', 'no']);
  return first === undefined || first === 'en' ? 'en' : 'nb';
}
