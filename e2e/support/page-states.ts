import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { catalogues } from '@purlin/words/catalogues.ts'
import { markets } from '@purlin/contract/markets.ts'
import type { Page, Route } from 'playwright-core'
import { faultsOf } from './axe.ts'
import { unreachable } from './keyboard.ts'
import { patient } from './patience.ts'
import { scrollsSideways } from './shopping-pages.ts'
import { standStill } from './browser.ts'
import type { Visitor } from './visitor.ts'

/** A folder for pictures of every state, to be looked at; none are taken without. */
const pictures = process.env['PICTURES']
const [narrowest, ...others] = [320, 390, 1440] as const

export interface StateOptions {
  /** Something was refused: the page says so where the focus is, and what was wrong at its field. */
  failing?: boolean
  /** The page loads itself anew while it waits for an answer: not while it is looked at. */
  waits?: boolean
  /** With scripts, axe checks the page at each width, not only at one of them. */
  everyWidth?: boolean
  /** Tab is pressed until it has come to every control. */
  byKeyboard?: boolean
}

/** Looks at the pages of a visitor, one state after the other, and collects what is wrong with them. */
export interface StateChecks {
  look(name: string, options?: StateOptions): Promise<void>
  /** One line per fault. */
  faults: readonly string[]
  /** Names of the states looked at. */
  seen: readonly string[]
}

export function stateChecks(visitor: Visitor, { scripts = true }: { scripts?: boolean } = {}): StateChecks {
  const { page, market, mode } = visitor
  const faults: string[] = []
  const seen: string[] = []
  return {
    faults,
    seen,
    look: async (name, { failing = false, waits = false, everyWidth = false, byKeyboard = false } = {}) => {
      if (waits) await page.route('**', stay)
      seen.push(name)
      const where = `${market}.${mode} ${name}`
      const tell = (found: readonly string[]) => faults.push(...found.map((fault) => `${where}: ${fault}`))
      await page.locator('main h1').first().waitFor()
      tell(await page.evaluate(structureFaults))
      if (failing) {
        tell(await page.evaluate(refusalFaults))
        if (!(await reachesError(page))) tell(['the focus is not at the error'])
      }
      tell(await foreignWords(visitor))
      if (scripts) await standStill(page)
      // Every state at the narrowest width, and with scripts at one of the others, another one in the next state and market.
      const other = others[(seen.length + market.charCodeAt(0)) % others.length]!
      for (const width of pictures || everyWidth ? [narrowest, ...others] : scripts ? [narrowest, other] : [narrowest]) {
        await page.setViewportSize({ width, height: 900 })
        if (await scrollsSideways(page)) tell([`scrolls sideways at ${width} px`])
        if (scripts && (everyWidth || width === other)) tell(await faultsOf(page.mainFrame()))
        if (pictures) await takePicture(page, join(pictures, `${name}.${market}.${mode}.${width}.png`))
      }
      if (byKeyboard) tell((await unreachable(page)).map((control) => `not reached by keyboard: ${control}`))
      await page.setViewportSize({ width: 1280, height: 900 })
      if (!waits) return
      await page.unroute('**', stay)
      // Without scripts a page loads itself anew only once, and may be about to.
      if (!scripts) await page.reload().catch(() => page.waitForLoadState())
    },
  }
}

/** The visitors whose walk is part of every run; with `--all` everybody (some six minutes more). */
export function walksOf<Walk extends { always: boolean }>(walks: readonly Walk[]): Walk[] {
  return walks.filter(({ always }) => always || process.env['ALL_STATES'] !== undefined)
}

/** An answer without content leaves the browser on the page it shows. */
async function stay(route: Route): Promise<void> {
  if (route.request().isNavigationRequest()) await route.fulfill({ status: 204 })
  else await route.fallback()
}

async function takePicture(page: Page, path: string): Promise<void> {
  mkdirSync(pictures!, { recursive: true })
  await page.screenshot({ path, fullPage: true })
}

/** A title of its own, one main heading, and fields with labels and with errors that belong to them. */
function structureFaults(): string[] {
  const faults: string[] = []
  if (document.title.replace(/(?:^|\W+)Purlin(?: Pro)?$/, '') === '') faults.push(`the title is “${document.title}”`)
  const headings = [...document.querySelectorAll('h1')].filter((each) => each.checkVisibility())
  if (headings.length !== 1 || headings[0]?.textContent?.trim() === '') faults.push(`${headings.length} main headings`)
  for (const field of document.querySelectorAll('main [aria-invalid="true"]')) {
    const described = (field.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '')
    const name = field.getAttribute('name')
    if (!/-error|^found-/.test(field.getAttribute('aria-describedby') ?? '') || described.some((text) => text.trim() === ''))
      faults.push(`the error of ${name} is not tied to its field`)
  }
  const controls = document.querySelectorAll<HTMLInputElement>('main :is(input:not([type="hidden"]), select, textarea)')
  for (const control of controls) {
    const isNamed = [...(control.labels ?? [])].some(({ textContent }) => textContent.trim() !== '')
    // axe sees this too, but needs scripts.
    if (control.checkVisibility() && !isNamed && !control.ariaLabel && !control.hasAttribute('aria-labelledby'))
      faults.push(`${control.name} has no label`)
  }
  const ids = [...document.querySelectorAll('main [id]')].map(({ id }) => id)
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push(`the id ${id} is there twice`)
  if (!document.querySelector('main a[href], main button')) faults.push('nothing leads on')
  return faults
}

/** A refused form: the reason is announced or at its field, in sight, and where the focus is. */
function refusalFaults(): string[] {
  const reasons = [...document.querySelectorAll<HTMLElement>('main [role="alert"], main [aria-invalid="true"]')].filter((each) =>
    each.checkVisibility(),
  )
  if (reasons.length === 0) return ['no reason is shown']
  const isInSight = reasons.some((each) => {
    const { top, bottom } = each.getBoundingClientRect()
    return bottom > 0 && top < innerHeight
  })
  return isInSight ? [] : ['the reason is out of sight']
}

/**
 * The browser moves the focus once the page's style sheets are there. `waitForFunction` looks again with a timer of the page, which
 * never fires where scripts are off: so it is this process that looks again.
 */
async function reachesError(page: Page): Promise<boolean> {
  for (const end = Date.now() + patient(10_000); Date.now() < end; await sleep(50)) if (await page.evaluate(isAtError)) return true
  return false
}

/**
 * On the list of errors, on another alert or on the first wrong field. Where the address names a part of the page, the browser moves no
 * focus but starts the tab order there: the error is in that part.
 */
function isAtError(): boolean {
  const { activeElement: active } = document
  const wrong = 'main [aria-invalid="true"]'
  if (active?.getAttribute('role') === 'alert' || (active !== null && active === document.querySelector(wrong))) return true
  const part = location.hash === '' ? null : document.getElementById(decodeURIComponent(location.hash.slice(1)))
  const errors = [...document.querySelectorAll(`main [role="alert"], ${wrong}`)].filter((each) => each.checkVisibility())
  return part !== null && active === document.body && errors.some((each) => part.contains(each))
}

/** Whole English messages of the catalogue, of three words or more, on a page in another language. */
async function foreignWords({ page, market }: Visitor): Promise<string[]> {
  const { language } = markets[market]
  if (language === 'en') return []
  const own = catalogues[language] as Readonly<Record<string, unknown>>
  const texts = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.querySelector('main')!, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) found.push(node.textContent?.trim() ?? '')
    for (const each of document.querySelectorAll('main [aria-label]')) found.push(each.getAttribute('aria-label') ?? '')
    return [document.title, ...found]
  })
  return texts.filter((text) => english().has(text) && !Object.values(own).includes(text)).map((text) => `English: “${text}”`)
}

let messages: ReadonlySet<string> | undefined

/** English messages without arguments that are sentences or labels rather than names. */
function english(): ReadonlySet<string> {
  messages ??= new Set(Object.values(catalogues.en).filter((each): each is string => typeof each === 'string' && / /.test(each)))
  return messages
}
