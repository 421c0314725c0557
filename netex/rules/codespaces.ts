/** Declared codespaces: CODESPACE, NSR_CODESPACE. */
import type { OpenElement } from '../xml/scan.ts';
import type { Check } from './check.ts';
import { defineRule } from './rule.ts';

/** The profile gives every codespace a URL with its name. */
const URL_BASE = 'http://www.rutebanken.org/ns/';

export const CODESPACE = defineRule({
  code: 'CODESPACE',
  severity: 'ERROR',
  name: 'Codespace unknown',
  meaning: 'Declared codespace (prefix + URL) not allowed for this provider',
  stage: '2-structure',
  datasets: ['timetable'],
  example: `<Codespace id="xyz"><Xmlns>XYZ</Xmlns><XmlnsUrl>${URL_BASE}xyz</XmlnsUrl></Codespace>`,
  mend: `Declare only your own and allowed codespaces, each with the URL ${URL_BASE} and its name in small letters.`,
});

export const NSR_CODESPACE = defineRule({
  code: 'NSR_CODESPACE',
  severity: 'ERROR',
  name: 'NSR Codespace not declared',
  meaning: 'CompositeFrame does not declare the national stop register codespace',
  stage: '2-structure',
  datasets: ['timetable'],
  example: 'A CompositeFrame whose codespaces hold only the own one',
  mend: `Add <Codespace id="nsr"><Xmlns>NSR</Xmlns><XmlnsUrl>${URL_BASE}nsr</XmlnsUrl></Codespace> to its codespaces.`,
});

function urlOf(xmlns: string): string {
  return URL_BASE + xmlns.toLowerCase();
}

/** Codespaces are declared in a frame at the top or directly inside a CompositeFrame. */
function frameOf(codespace: OpenElement): OpenElement | undefined {
  const frame = codespace.parent?.name === 'codespaces' ? codespace.parent.parent : undefined;
  const holder = frame?.parent;
  if (holder?.name === 'dataObjects') return frame;
  return holder?.name === 'frames' && holder.parent?.name === 'CompositeFrame' ? frame : undefined;
}

const declaredCodespaces: Check = {
  rules: [CODESPACE, NSR_CODESPACE],
  begin(run) {
    const { xmlns, allowedXmlns, stopRegisterXmlns } = run.context;
    const allowed = [...new Set([xmlns, ...allowedXmlns, stopRegisterXmlns])];
    let declared = { xmlns: '', url: '' };
    let composite: { depth: number; hasRegister: boolean } | undefined;
    return {
      start: {
        Codespace() {
          declared = { xmlns: '', url: '' };
        },
        CompositeFrame(element) {
          composite ??= { depth: element.depth, hasRegister: false };
        },
      },
      end: {
        Xmlns(element) {
          if (element.parent?.name === 'Codespace') declared.xmlns = element.text.trim();
        },
        XmlnsUrl(element) {
          if (element.parent?.name === 'Codespace') declared.url = element.text.trim();
        },
        Codespace(element) {
          const frame = frameOf(element);
          if (!frame) return;
          const { xmlns: prefix, url } = declared;
          const isAllowed = allowed.includes(prefix) && url === urlOf(prefix);
          if (isAllowed && prefix === stopRegisterXmlns && composite?.depth === frame.depth)
            composite.hasRegister = true;
          if (isAllowed) return;
          run.report(
            CODESPACE,
            element,
            () =>
              `${frame.name} declares the codespace ${prefix || 'without prefix'} (${url || 'no URL'}); ` +
              `expected one of ${allowed.map((one) => `${one} (${urlOf(one)})`).join(', ')}.`,
          );
        },
        CompositeFrame(element) {
          if (composite?.depth !== element.depth) return;
          if (!composite.hasRegister) {
            run.report(
              NSR_CODESPACE,
              element,
              () =>
                `CompositeFrame does not declare the codespace of the stop register; ` +
                `expected ${stopRegisterXmlns} (${urlOf(stopRegisterXmlns)}) in its codespaces.`,
            );
          }
          composite = undefined;
        },
      },
    };
  },
};

export const codespaceChecks: readonly Check[] = [declaredCodespaces];
