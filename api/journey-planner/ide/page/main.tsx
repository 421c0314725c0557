/** The query page: our bar above GraphiQL. Bundled by `dev/ide/bundle.ts`; asks nobody but the service it came from. */
import { useEditorContext, useExecutionContext } from '@graphiql/react';
import { GraphiQL, type GraphiQLProps } from 'graphiql';
import { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import 'graphiql/style.css';
import { type AskedQuery, createAsk } from './ask.ts';
import { Bar } from './bar.tsx';
import './page.css';
import { type Language, readPageSetup } from './page-setup.ts';
import { createPageStorage, offerFirstExample } from './page-storage.ts';
import { TEXTS } from './texts.ts';

type Fetcher = GraphiQLProps['fetcher'];

interface Editors {
  show(query: string, variables: string): void;
  run(): void;
}

/** GraphiQL's editors are reached from within it only. */
function EditorBridge({ onReady }: { readonly onReady: (editors: Editors) => void }) {
  const { queryEditor, variableEditor, headerEditor, responseEditor } = useEditorContext({ nonNull: true });
  const { run, isFetching } = useExecutionContext({ nonNull: true });
  useAnswerInView(isFetching);
  useEffect(() => {
    // Tab would indent, and keep those without a mouse inside for ever.
    const passOn = { Tab: false, 'Shift-Tab': false } as const;
    for (const editor of [queryEditor, variableEditor, headerEditor, responseEditor]) editor?.addKeyMap(passOn);
  }, [queryEditor, variableEditor, headerEditor, responseEditor]);
  useEffect(() => {
    onReady({
      show(query, variables) {
        queryEditor?.setValue(query);
        variableEditor?.setValue(variables);
      },
      run,
    });
  }, [queryEditor, variableEditor, run, onReady]);
  return null;
}

/** On a narrow screen the answer is below the editors. Where all of it is in view, nothing moves. */
function useAnswerInView(isFetching: boolean): void {
  const wasFetching = useRef(false);
  useEffect(() => {
    if (wasFetching.current && !isFetching) {
      document.querySelector('.graphiql-response')?.scrollIntoView({ block: 'nearest' });
    }
    wasFetching.current = isFetching;
  }, [isFetching]);
}

const LANGUAGE_KEY = 'samferd-ide:language';
const setup = readPageSetup();
/** GraphiQL's library of dialogs reads it here, by the bundle's `define`. */
Object.assign(globalThis, { styleNonce: setup.nonce });
const send = createAsk(setup, () => TEXTS[document.documentElement.lang === 'nb' ? 'nb' : 'en'].noAnswer);
/** These two must stay the same objects: GraphiQL asks for the schema anew with each other one. */
const ask: Fetcher = (asked, options) => send(asked as AskedQuery, options);
const storage = createPageStorage(setup.dialect);
// Before GraphiQL reads it.
offerFirstExample(storage, setup.examples[0]);

function Page() {
  const [language, setLanguage] = useState<Language>(setup.language);
  const [editors, setEditors] = useState<Editors>();
  const texts = TEXTS[language];
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = `${texts.title} ${setup.dialect}`;
  }, [language, texts]);
  return (
    <>
      <Bar
        setup={{ ...setup, language }}
        texts={texts}
        onExample={(wanted) => {
          const example = setup.examples.find(({ id }) => id === wanted);
          if (example) editors?.show(example.query, example.variables);
        }}
        onRun={() => editors?.run()}
        onLanguage={() => {
          localStorage.setItem(LANGUAGE_KEY, texts.otherLanguageCode);
          setLanguage(texts.otherLanguageCode);
        }}
      />
      <main>
        <GraphiQL fetcher={ask} storage={storage} defaultEditorToolsVisibility="variables">
          <GraphiQL.Logo>
            <EditorBridge onReady={setEditors} />
          </GraphiQL.Logo>
        </GraphiQL>
      </main>
    </>
  );
}

const kept = localStorage.getItem(LANGUAGE_KEY);
const root = document.getElementById('page');
if (!root) throw new Error('The page has come without its place');
if (kept === 'nb' || kept === 'en') Object.assign(setup, { language: kept });
createRoot(root).render(<Page />);
