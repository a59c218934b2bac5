import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { languages, type Language } from '@purlin/contract/markets.ts'
import { checkMessages } from '@purlin/words/check-messages.ts'
import { checkUsage } from '@purlin/words/check-usage.ts'
import { readMessages, type MessageSources } from '@purlin/words/read-messages.ts'
import { checkWords } from './check-words.ts'
import { root } from './find-tests.ts'
import { readSources } from './walls.ts'

const messages = readMessages()

/** The catalogues with one additional message in some languages. */
function planted(texts: Partial<Record<Language, string>>, key = 'shell.planted'): MessageSources {
  const grown = (language: Language) => {
    const text = texts[language]
    return { shell: { ...messages[language]['shell'], ...(text !== undefined && { [key]: text }) } }
  }
  return { en: grown('en'), fr: grown('fr'), de: grown('de'), es: grown('es'), it: grown('it') }
}
const inAll = (text: string): Record<Language, string> => ({
  en: text,
  fr: `${text} fr`,
  de: `${text} de`,
  es: `${text} es`,
  it: `${text} it`,
})

test('V-55 the catalogues and the code that uses them have no problems, and the generated files are up to date', () => {
  assert.deepEqual(checkWords(), [])
})

test('the role of those who order has one name: in German it is Einkäufer, as in the list of roles', () => {
  const german = Object.values(messages.de).flatMap((texts) => Object.entries(texts))
  assert.ok(german.some(([key, text]) => key === 'company.roles' && text.includes('Einkäufer')))
  assert.deepEqual(
    german.filter(([, text]) => /\bBesteller/.test(text)).map(([key]) => key),
    [],
  )
})

const mistaken: Record<string, [texts: Partial<Record<Language, string>>, says: RegExp]> = {
  'a message without a translation': [
    { en: 'Hats', fr: 'Chapeaux', es: 'Sombreros', it: 'Cappelli' },
    /^de: shell\.planted has no translation$/,
  ],
  'an empty translation': [{ ...inAll('Hut'), de: ' ' }, /^de: shell\.planted is empty$/],
  'a message English does not have': [{ de: 'Hüte' }, /^de: shell\.planted is not in the English catalogue$/],
  'an English sentence in German': [
    { ...inAll('x'), de: 'We will send the parcel tomorrow' },
    /^de: shell\.planted reads as English: "we", "the"$/,
  ],
  'an English sentence in French': [{ ...inAll('x'), fr: 'Please check your basket' }, /^fr: shell\.planted reads as English/],
  'the English text itself': [
    { ...inAll('Great hats'), es: 'Great hats' },
    /^es: shell\.planted is the English text; if "Great", "hats" is the same/,
  ],
  'an argument left out': [{ ...inAll('Hut {size}'), it: 'Cappello' }, /^it: shell\.planted lacks the argument \{size\}$/],
  'an argument too many': [{ ...inAll('Hut'), it: 'Cappello {size}' }, /^it: shell\.planted has an argument \{size\} that English lacks$/],
  'an argument of another kind': [
    { ...inAll('Hut {n, number}'), de: 'Hüte {n}' },
    /^de: shell\.planted uses \{n\} as text, English as number$/,
  ],
  'a case nobody asks for': [
    { ...inAll('{k, select, a {Hut} other {Hüte}}'), de: '{k, select, b {Mütze} other {Mützen}}' },
    /^de: shell\.planted uses \{k\} as select of b, other, English as select of a, other$/,
  ],
  'a tag left out': [{ ...inAll('<b>Hut</b>'), fr: 'Chapeau' }, /^fr: shell\.planted lacks the tag <b>$/],
  'a tag too many': [{ ...inAll('Hut'), fr: '<b>Chapeau</b>' }, /^fr: shell\.planted has a tag <b> that English lacks$/],
  'a plural case the language does not have': [
    { ...inAll('{n, plural, one {Hut} other {Hüte}}'), de: '{n, plural, one {Hut} few {Hüte} other {Hüte}}' },
    /^de: shell\.planted has a plural case "few" of \{n\}, which this language does not have$/,
  ],
  'a plural case left out': [
    { ...inAll('{n, plural, one {Hut} other {Hüte}}'), it: '{n, plural, other {Cappelli}}' },
    /^it: shell\.planted lacks the plural case "one" of \{n\}$/,
  ],
  'a message that is not well formed': [
    { ...inAll('Hut {n}'), de: 'Hut {n' },
    /^de: shell\.planted is not well formed: EXPECT_ARGUMENT_CLOSING_BRACE$/,
  ],
  'a French sign at the beginning of a line': [{ ...inAll('Hut?'), fr: 'Un chapeau ?' }, /^fr: shell\.planted has a French sign/],
}
for (const [what, [texts, says]] of Object.entries(mistaken))
  test(`V-55 ${what} is refused by verify`, () => {
    const problems = checkMessages(planted(texts))
    assert.equal(problems.length, 1, problems.join('\n'))
    assert.match(problems[0] ?? '', says)
  })

test('V-55 a key in the file of another area is refused by verify', () => {
  assert.equal(checkMessages(planted(inAll('Hut'), 'cart.planted')).length, languages.length)
})

const keys = new Set(['shell.a', 'shell.b', 'shell.c.x'])
const page = (body: string) => checkUsage([{ path: 'storefront/src/planted/planted-page.tsx', text: body }], new Set())
const said = "t('shell.a'); t('shell.b'); t(`shell.c.${x}`)"

test('V-55 an unused message is refused by verify; one with a composed key counts as used', () => {
  const sources = readSources().filter(({ path }) => path.startsWith('storefront/src/shell/'))
  assert.deepEqual(checkUsage([{ path: 'storefront/src/x.ts', text: said }], keys), [])
  assert.deepEqual(checkUsage([{ path: 'storefront/src/x.ts', text: "t('shell.a'); t(`shell.c.${x}`)" }], keys), [
    'shell.b is said nowhere: delete it in every language',
  ])
  assert.ok(checkUsage(sources, new Set(['shell.planted'])).includes('shell.planted is said nowhere: delete it in every language'))
})

const glued = {
  'two messages in one line': "<p>{t('shell.a')} {t('shell.b')}</p>",
  'two messages side by side': "<p>{t('shell.a')}{t('shell.b')}</p>",
  'a message and a link': "<p>{t('shell.a')} <a href={to}>{t('shell.b')}</a></p>",
  'a link after a line break that is kept': "<p>\n  {t('shell.a')}{' '}\n  <a href={to}>{t('shell.b')}</a>\n</p>",
  'a label and its value': '<p><b>{t("shell.a")}</b> {price.formatted}</p>',
  'a message and a full stop': "<p>{t('shell.a')}.</p>",
  'a message in brackets': "<p>({t('shell.a')})</p>",
  'a message after words of the code': "<p>Only {t('shell.a')}</p>",
  'a message under a condition': "<p>{isNew && t('shell.a')} {isOld ? t('shell.b') : null}</p>",
  'a message that has a name': "const label = t('shell.a')\nconst all = `${label}: ${value}`",
  'a template': "const all = `${t('shell.a')} ${name}`",
  'a template with words': "const all = `${t('shell.a')}!`",
  'a sum': "const all = t('shell.a') + name",
  'a list that is joined': "const all = [t('shell.a'), name].join(', ')",
  'rich text and a value': "<p>{t.rich('shell.a', tags)} {name.first}</p>",
  'words of the server': "const all = `${wordsFor(market)('shell.a')} ${name}`",
  'HTML of the server': "const all = `<p>${escape(t('shell.a'))} ${escape(t('shell.b'))}</p>`",
}
for (const [what, code] of Object.entries(glued))
  test(`V-55 a sentence concatenated from ${what} is refused by verify`, () => {
    const problems = page(code)
    assert.ok(problems.length > 0)
    for (const problem of problems) assert.match(problem, /^storefront\/src\/planted\/planted-page\.tsx:\d+: .*one message/)
  })

const whole = {
  'messages in boxes of their own': "<div>\n  <span>{t('shell.a')}</span>\n  <span>{t('shell.b')}</span>\n</div>",
  'terms and what they mean': "<dl><dt>{t('shell.a')}</dt><dd>{value.text}</dd></dl>",
  'an icon beside a message': '<p>\n  <Icon name="box" />\n  {t("shell.a")}\n</p>',
  'a field in its label': "<label>\n  {t('shell.a')} <input name={name('x')} />\n</label>",
  'facts in a row': "<p>\n  <b>{price.text}</b> · {t('shell.a')}\n</p>",
  'a message with all it needs': "<p>{t('shell.a', { name })}</p>",
  'rich text': "<p>{t.rich('shell.a', { link: (words) => <a href={to}>{words}</a> })}</p>",
  'HTML with tags between': "const all = `<h1>${escape(t('shell.a'))}</h1><p>${escape(t('shell.b'))}</p>`",
  'a class beside a message': 'const all = `<p class="${name}">${escape(t(\'shell.a\'))}</p>`',
  'lines of a mail': "const all = [t('shell.a'), t('shell.b')].join('\\n')",
}
for (const [what, code] of Object.entries(whole)) test(`V-55 ${what}: not glued`, () => assert.deepEqual(page(code), []))

test('V-55 texts per language in the code are a second catalogue, and refused', () => {
  const [problem] = page("const hats = { en: 'Hat', fr: 'Chapeau', de: 'Hut', es: 'Sombrero', it: 'Cappello' }")
  assert.match(problem ?? '', /words in every language stand in the catalogues/)
})

/** Files that compile as they are, each with one line to plant; the messages are the compiler's. */
const folder = join(root, 'node_modules/.cache/words-mistakes')
after(() => rmSync(folder, { recursive: true, force: true }))

const head = `import type { ShopContext } from '${root}/storefront/src/shell/context.ts'
import { wordsFor } from '${root}/words/src/catalogues.ts'
export function said(t: ShopContext['t'], kind: 'cancelled' | 'paid') {
`
const compiled: Record<string, [line: string, says: RegExp | null]> = {
  right: [
    "return [t('cart.items', { count: 1 }), t('shell.search'), t(`order.state.${kind}`), wordsFor('de')('mail.hello', { name: 'Ada' }), t.rich('search.did-you-mean', { suggestion: (words) => words }, { query: '' })]",
    null,
  ],
  'unknown-key': ["return [t('cart.planted', { count: 1 }), kind]", /'"cart\.planted"' is not assignable/],
  'unknown-part-of-a-key': ['return t(`order.status.${kind}`, { count: 1 })', /is not assignable/],
  'argument-left-out': ["return [t('cart.items'), kind]", /Expected 2 arguments, but got 1/],
  'argument-of-another-name': ["return [t('cart.items', { number: 1 }), kind]", /'number' does not exist in type/],
  'argument-of-another-type': ["return [t('cart.items', { count: '1' }), kind]", /Type 'string' is not assignable to type 'number'/],
  'argument-nobody-needs': ["return [t('shell.search', { count: 1 }), kind]", /Expected 1 arguments, but got 2/],
  'argument-of-one-of-two': ["return t(kind === 'paid' ? 'cart.items' : 'shell.search')", /Expected 2 arguments, but got 1/],
  'tags-as-text': ["return [t('search.did-you-mean', { query: '' }), kind]", /is not assignable to parameter/],
  'tag-left-out': ["return [t.rich('search.did-you-mean', {}, { query: '' }), kind]", /Property 'suggestion' is missing/],
  'key-made-up': ['const key: string = kind\n  return t(key, { count: 1 })', /Argument of type 'string' is not assignable/],
}

/** One run of the compiler; returns its messages by file name. */
function compile(files: Record<string, string>): (name: string) => string {
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { incremental: false, noUnusedLocals: false },
    include: ['*.ts'],
    exclude: [],
  }
  for (const [path, text] of Object.entries({ ...files, 'tsconfig.json': JSON.stringify(config) })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false'], {
    encoding: 'utf8',
  })
  const reports = stdout.split(/\n(?! )/)
  return (file) => reports.filter((report) => report.includes(`${file}.ts(`)).join('\n')
}

test('V-55 a wrong key, argument or tag does not compile, nor does a language or market without its messages', () => {
  const source = (path: string) => readFileSync(join(root, path), 'utf8')
  const markets = source('contract/src/markets.ts')
  const catalogues = source('words/src/catalogues.ts').replaceAll(/'\.\/(generated\/|translate)/g, `'${root}/words/src/$1`)
  const files: Record<string, string> = {
    'more-languages.ts': markets.replace("languages = ['en',", "languages = ['en', 'pt',"),
    'more-markets.ts': markets.replace("marketCodes = ['es',", "marketCodes = ['es', 'pt',"),
    'language-without-words.ts': catalogues.replace('@purlin/contract/markets.ts', './more-languages.ts'),
    'market-without-words.ts': catalogues.replace('@purlin/contract/markets.ts', './more-markets.ts'),
  }
  for (const [name, [line]] of Object.entries(compiled)) files[`${name}.ts`] = `${head}  ${line}\n}\n`
  const told = compile(files)
  for (const [name, [, says]] of Object.entries(compiled)) {
    if (says) assert.match(told(name), says, name)
    else assert.equal(told(name), '')
  }
  assert.match(told('language-without-words'), /Property 'pt' is missing/)
  assert.match(told('more-markets'), /Property 'pt' is missing/)
  assert.match(told('market-without-words'), /Property 'pt' is missing/)
})
