/**
 * The setup that the server writes into the page. The page reads it once at start. The server's side is
 * `../ide-page.ts`.
 */
export type Language = 'nb' | 'en';

export interface Example {
  readonly id: string;
  readonly names: Readonly<Record<Language, string>>;
  readonly query: string;
  readonly variables: string;
}

export interface PageSetup {
  readonly dialect: 'v2' | 'v3';
  readonly language: Language;
  readonly clientNameHeader: string;
  readonly examples: readonly Example[];
  /** Nonce that style elements need. */
  readonly nonce: string;
}

export function readPageSetup(): PageSetup {
  const text = document.getElementById('setup')?.textContent;
  if (!text) throw new Error('The page has come without its setup');
  return JSON.parse(text) as PageSetup;
}
