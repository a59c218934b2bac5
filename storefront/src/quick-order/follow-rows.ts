import { maxOrderRows } from '@purlin/contract/order-limits.ts'
import { QuickOrderDocument, type QuickOrderFragment } from '../generated/documents.ts'
import { ask } from '../session/graphql-client.ts'
import { offerScanning } from './offer-scanning.ts'

const pauseMs = 300

interface Row {
  element: HTMLTableRowElement
  code: HTMLInputElement
  quantity: HTMLInputElement
}

/** Rows are checked together, shortly after the last key; a newer check takes the place of an older one. */
export function followRows(element: HTMLElement): void {
  const body = element.querySelector('tbody')
  if (!body) return
  let waiting: ReturnType<typeof setTimeout> | undefined
  let asked = new AbortController()

  const check = async () => {
    asked.abort()
    asked = new AbortController()
    const { signal } = asked
    const filled = rowsIn(body).filter(({ code, quantity }) => code.value.trim() !== '' || quantity.value.trim() !== '')
    const rows = filled.map(({ code, quantity }) => ({ code: code.value, quantity: quantity.value || '1' }))
    try {
      const order = rows.length > 0 ? (await ask(QuickOrderDocument, { rows }, { signal })).quickOrder : null
      if (signal.aborted) return
      const placeOf = (row: Row) => filled.findIndex(({ element: one }) => one === row.element)
      for (const row of rowsIn(body)) show(row, order?.rows[placeOf(row)], filled)
      showSum(element, order, filled)
    } catch {
      // The button checks as well.
    }
  }
  body.addEventListener('input', () => {
    grow(body)
    clearTimeout(waiting)
    waiting = setTimeout(() => void check(), pauseMs)
  })
  body.addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain') ?? ''
    const field = rowsIn(body).find(({ code }) => code === event.target)?.code
    // A number without a space or a sign is pasted by the browser.
    if (!field || !/[\t\n;,]|\s\d+$/.test(text.trim())) return
    event.preventDefault()
    void fillRows(element, body, field, text).then(() => body.dispatchEvent(new Event('input')))
  })
  body.addEventListener('click', (event) => {
    const row = (event.target as Element).closest('[data-remove]')?.closest('tr')
    if (!row) return
    remove(body, row)
    body.dispatchEvent(new Event('input'))
  })
  for (const button of body.querySelectorAll<HTMLElement>('[data-remove]')) button.hidden = false
  offerScanning(element, (code) => {
    takeCode(body, code)
    body.dispatchEvent(new Event('input'))
  })
  // Rows typed before this code had arrived, or restored by the browser, are checked as well.
  const isChanged = ({ value, defaultValue }: HTMLInputElement) => value !== defaultValue
  if (rowsIn(body).some(({ code, quantity }) => isChanged(code) || isChanged(quantity))) body.dispatchEvent(new Event('input'))
}

/** Fills the rows from the field on in which somebody has pasted; the code that finds the columns is loaded with the first paste. */
async function fillRows(element: HTMLElement, body: HTMLTableSectionElement, field: HTMLInputElement, text: string): Promise<void> {
  const reader = await import('@purlin/contract/order-rows.ts').catch(() => null)
  const from = rowsIn(body).findIndex(({ code }) => code === field)
  if (!reader || from < 0) {
    // The server reads them there.
    const lines = element.querySelector('textarea')
    if (lines) lines.value = text
    return
  }
  const { rows: pasted, isOneEach } = reader.sheetRowsOf(text)
  if (pasted.length < 2 && (pasted[0]?.code ?? '') === text.trim()) return field.setRangeText(text.trim().slice(0, field.maxLength))
  const read = pasted.slice(0, maxOrderRows - from)
  say(element, 'cut', read.length < pasted.length)
  say(element, 'one-each', isOneEach)
  for (const [at, { code, quantity }] of read.entries()) {
    const row = rowsIn(body)[from + at] ?? addRow(body)
    row.code.value = code
    row.quantity.value = quantity
  }
}

/** What was not read of the last paste: rows for which the order has no room, or quantities. */
function say(element: HTMLElement, what: 'cut' | 'one-each', isSo: boolean): void {
  const place = element.querySelector(`[data-${what}]`)
  if (place) place.textContent = isSo ? place.getAttribute(`data-${what}`) : ''
}

/** A scanned code fills the first empty row; scanned again, it is one piece more. */
function takeCode(body: HTMLTableSectionElement, code: string): void {
  const rows = rowsIn(body)
  const same = rows.find((row) => row.code.value.trim() === code)
  if (same) {
    same.quantity.value = String((Number(same.quantity.value) || 1) + 1)
    return
  }
  const row = rows.find((each) => each.code.value.trim() === '') ?? (rows.length < maxOrderRows ? addRow(body) : undefined)
  if (!row) return
  row.code.value = code
  row.quantity.value ||= '1'
}

function rowsIn(body: HTMLTableSectionElement): Row[] {
  return [...body.rows].map(rowOf)
}

function rowOf(element: HTMLTableRowElement): Row {
  const [code, quantity] = element.querySelectorAll('input')
  if (!code || !quantity) throw new Error('A row of the quick order has two fields')
  return { element, code, quantity }
}

/** One empty row is always left. */
function grow(body: HTMLTableSectionElement): void {
  const last = rowsIn(body).at(-1)
  if (last && last.code.value !== '' && body.rows.length < maxOrderRows) addRow(body)
}

function addRow(body: HTMLTableSectionElement): Row {
  const place = body.rows.length
  const copy = body.rows[place - 1]?.cloneNode(true) as HTMLTableRowElement
  body.append(copy)
  const row = rowOf(copy)
  row.code.value = ''
  row.quantity.value = ''
  number(row, place)
  show(row, undefined)
  return row
}

/** The place of a row in everything that names it. */
function number({ element, code, quantity }: Row, place: number): void {
  for (const named of [code, quantity, element.querySelector('[data-remove]')])
    named?.setAttribute('aria-label', (named.getAttribute('aria-label') ?? '').replace(/\d+/, String(place + 1)))
  code.id = `row-${place}`
  for (const field of [code, quantity]) field.setAttribute('aria-describedby', `found-${place}`)
  const found = element.querySelector('[data-found]')
  if (found) found.id = `found-${place}`
  const at = element.querySelector('[data-at]')
  if (at) at.textContent = String(place + 1)
}

/** The last row of all is emptied: there is always one to type in. The focus goes to the row that takes the place. */
function remove(body: HTMLTableSectionElement, gone: HTMLTableRowElement): void {
  const place = gone.sectionRowIndex
  if (body.rows.length === 1) addRow(body)
  gone.remove()
  for (const [at, row] of rowsIn(body).entries()) number(row, at)
  rowsIn(body)[Math.min(place, body.rows.length - 1)]?.code.focus()
}

/** `filled` are the rows that were checked, in order. */
function show(
  { element, code, quantity }: Row,
  checked: QuickOrderFragment['rows'][number] | undefined,
  filled: readonly Row[] = [],
): void {
  const { title = null, url = null, price, total, problem = null, sameAsRow = null } = checked ?? {}
  const same = sameAsRow === null ? undefined : filled[sameAsRow - 1]
  const set = (place: string, text: string | undefined) => {
    const cell = element.querySelector(`[${place}]`)
    if (cell) cell.textContent = text ?? ''
  }
  const { wrongClass = '', problemClass = '', sameAs = '' } = element.closest<HTMLElement>('[data-quick-order]')?.dataset ?? {}
  set('data-price', price?.formatted)
  set('data-total', total?.formatted)
  const found = element.querySelector('[data-found]')
  found?.replaceChildren(
    ...(title && url ? [made('a', title, { href: url })] : []),
    ...(same ? [made('span', sameAs.replace('0', String(same.element.sectionRowIndex + 1)), {})] : []),
    ...(problem ? [made('span', problem.message, { class: problemClass })] : []),
  )
  element.className = problem ? wrongClass : ''
  code.ariaInvalid = String(problem !== null && title === null)
  quantity.ariaInvalid = String(problem !== null && title !== null)
}

function made(name: 'a' | 'span', text: string, attributes: Record<string, string>): HTMLElement {
  const element = document.createElement(name)
  element.textContent = text
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  return element
}

function showSum(element: HTMLElement, order: QuickOrderFragment | null, filled: readonly Row[]): void {
  const set = (place: string, text: string | number) => {
    const found = element.querySelector(`[${place}]`)
    if (found) found.textContent = String(text)
  }
  const hide = (place: string, isHidden: boolean) => {
    const found = element.querySelector<HTMLElement>(`[${place}]`)
    if (found) found.hidden = isHidden
  }
  const wrong = order ? order.rows.length - order.ready : 0
  hide('data-sum', order === null)
  hide('data-filter', wrong === 0)
  const filter = element.querySelector<HTMLInputElement>('[data-only-wrong]')
  // Nothing would be left to see.
  if (wrong === 0 && filter) filter.checked = false
  if (!order) return
  set('data-ready', order.ready)
  set('data-wrong', wrong)
  const first = filled[order.rows.findIndex(({ problem }) => problem !== null)]
  if (first) element.querySelector('[data-wrong]')?.setAttribute('href', `#${first.code.id}`)
  else element.querySelector('[data-wrong]')?.removeAttribute('href')
  set('data-sum-total', order.total.formatted)
  hide('data-gross', order.taxKey !== 'with_vat')
  hide('data-net', order.taxKey === 'with_vat')
}
