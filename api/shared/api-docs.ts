/**
 * Serves each area's document at `/api-docs/{name}` as JSON, YAML or a page for people by `Accept`, as it is enforced (header
 * prefix applied), and the list of them at `/api-docs`.
 */
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { DOCS_CSP, documentPage, indexPage, type ShownDocument } from './docs-page/page.ts';
import type { PageLanguage } from './docs-page/texts.ts';
import { negotiate } from './negotiate.ts';
import { toJson } from './openapi-reference.ts';
import type { Reply } from './operation.ts';
import { chooseLanguage, ENGLISH_FIRST } from './pages/language.ts';
import type { RequestContext } from './request-context.ts';
import { yaml } from './yaml.ts';

const JSON_TYPE = 'application/json';
const HTML_TYPE = 'text/html';
const YAML_TYPES = ['application/yaml', 'text/yaml', 'application/x-yaml'];
const HEADERS = { vary: 'Accept, Accept-Language', 'cache-control': 'public, max-age=300' };

/** The documents of one server. Each page is made when it is first asked for. */
export class ApiDocs {
  readonly #documents: readonly ShownDocument[];
  readonly #pages = new Map<string, string>();
  /** By document: to write YAML takes up to hundreds of milliseconds, in which the process answers nobody. */
  readonly #yaml = new Map<string, Buffer>();

  constructor(documents: readonly ShownDocument[]) {
    this.#documents = documents;
  }

  replyOf(context: RequestContext, shown: ShownDocument): Reply {
    const { name, document } = shown;
    const accepted = agree(context, [JSON_TYPE, HTML_TYPE, ...YAML_TYPES, 'application/vnd.oai.openapi']);
    if (accepted === JSON_TYPE) return { status: 200, headers: HEADERS, json: document };
    if (accepted === HTML_TYPE)
      return this.#page(context, name, (language) => documentPage(shown, this.#documents, language));
    return { status: 200, headers: { ...HEADERS, 'content-type': accepted }, bytes: this.#yamlOf(shown) };
  }

  #yamlOf({ name, document }: ShownDocument): Buffer {
    const bytes = this.#yaml.get(name) ?? Buffer.from(yaml().stringify(document));
    this.#yaml.set(name, bytes);
    return bytes;
  }

  replyOfIndex(context: RequestContext): Reply {
    if (agree(context, [JSON_TYPE, HTML_TYPE]) === HTML_TYPE)
      return this.#page(context, '', (language) => indexPage(this.#documents, language));
    const documents = this.#documents.map(({ name, document }) => {
      return { name, title: toJson(document.info, 'info').title, path: `/api-docs/${name}` };
    });
    return { status: 200, headers: HEADERS, json: { documents } };
  }

  #page({ request }: RequestContext, name: string, make: (language: PageLanguage) => string): Reply {
    const language = chooseLanguage(
      ENGLISH_FIRST,
      queryOf(request.url).get('lang'),
      request.headers['accept-language'],
    );
    const key = `${language}/${name}`;
    const bytes = this.#pages.get(key) ?? make(language);
    this.#pages.set(key, bytes);
    const type = { 'content-type': 'text/html; charset=utf-8', 'content-language': language };
    return { status: 200, headers: { ...HEADERS, ...type, 'content-security-policy': DOCS_CSP }, bytes };
  }
}

/** `?format=json` and `?format=yaml` are links of the page, because a browser cannot choose its `Accept`. */
function agree({ request }: RequestContext, offered: readonly string[]): string {
  const format = queryOf(request.url).get('format');
  if (format === 'json' || format === 'yaml') return `application/${format}`;
  const accepted = negotiate(request.headers.accept, offered);
  if (accepted !== undefined) return accepted;
  throw new ServiceError('NOT_ACCEPTABLE', `The document is ${JSON_TYPE}, ${HTML_TYPE} or ${YAML_TYPES[0]}.`);
}

function queryOf(target: string | undefined): URLSearchParams {
  return new URLSearchParams(target?.split('?')[1] ?? '');
}
