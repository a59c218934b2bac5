import { formatMessage } from '@purlin/words/translate.ts'
import { ask } from '../session/graphql-client.ts'
import { SuggestionsDocument } from '../generated/documents.ts'
import { nextActive, suggestionList, type Suggestion } from './suggestion-list.ts'

const pauseMs = 90
const shortest = 2
let boxes = 0

/** The header's search as a combobox with a list below the field. ARIA pattern "list autocomplete with manual selection". */
export function combobox(element: HTMLElement): void {
  const form = element.querySelector<HTMLFormElement>('[data-search-form]')!
  const input = form.querySelector('input')!
  const panel = form.querySelector<HTMLElement>('[data-panel]')!
  const status = form.querySelector<HTMLElement>('[data-status]')!
  const id = `suggestions-${++boxes}`
  const found = JSON.parse(panel.dataset.found ?? '""')
  let list: Suggestion[] = []
  let active = -1
  let typed = input.value
  let waiting: ReturnType<typeof setTimeout> | undefined
  let asking: AbortController | undefined

  panel.id = id
  panel.setAttribute('role', 'listbox')
  panel.setAttribute('aria-label', panel.dataset.suggestions ?? '')
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-controls': id,
    'aria-expanded': 'false',
  }))
    input.setAttribute(name, value)

  const open = (isOpen: boolean) => {
    panel.hidden = !isOpen
    input.setAttribute('aria-expanded', String(isOpen))
    if (!isOpen) choose(-1)
  }
  const choose = (index: number) => {
    active = index
    for (const option of panel.querySelectorAll('[role="option"]'))
      option.setAttribute('aria-selected', String(option.id === `${id}-${index}`))
    const chosen = index < 0 ? null : document.getElementById(`${id}-${index}`)
    if (chosen) input.setAttribute('aria-activedescendant', chosen.id)
    else input.removeAttribute('aria-activedescendant')
    chosen?.scrollIntoView({ block: 'nearest' })
    // A suggested query is put into the field, so that it can be edited before submitting.
    const suggestion = list[index]
    input.value = suggestion?.group === 'queries' ? suggestion.text : typed
  }
  const look = async () => {
    const query = typed.trim()
    asking?.abort()
    if (query.length < shortest) return open(false)
    asking = new AbortController()
    const { suggestions } = await ask(SuggestionsDocument, { query }, { signal: asking.signal })
    if (query !== typed.trim() || document.activeElement !== input) return
    list = suggestionList(suggestions)
    panel.replaceChildren(...groupsOf(list, id, panel.dataset, query))
    status.textContent = formatMessage(document.documentElement.lang, found, { count: list.length })
    open(list.length > 0)
  }

  input.addEventListener('input', () => {
    typed = input.value
    clearTimeout(waiting)
    waiting = setTimeout(() => void look().catch(() => undefined), pauseMs)
  })
  input.addEventListener('focus', () => list.length > 0 && typed.trim().length >= shortest && open(true))
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      // Cancels pending suggestions: a late response would reopen the list.
      clearTimeout(waiting)
      asking?.abort()
      if (!panel.hidden) open(false)
      else input.value = typed = ''
      event.preventDefault()
      return
    }
    if (event.key === 'Tab') return open(false)
    if (event.key === 'Enter') {
      const chosen = list[active]
      if (panel.hidden || !chosen) return
      event.preventDefault()
      location.assign(chosen.href)
      return
    }
    if (panel.hidden && (event.key === 'ArrowDown' || event.key === 'ArrowUp') && list.length > 0) open(true)
    const next = panel.hidden || event.altKey || event.ctrlKey || event.metaKey ? null : nextActive(event.key, active, list.length)
    if (next === null) return
    event.preventDefault()
    choose(next)
  })
  // The press would move focus out of the field before the click.
  panel.addEventListener('pointerdown', (event) => event.preventDefault())
  panel.addEventListener('click', (event) => {
    const option = (event.target as Element).closest<HTMLElement>('[role="option"]')
    const chosen = option && list[Number(option.dataset.index)]
    if (!chosen) return
    if (event.ctrlKey || event.metaKey) window.open(chosen.href, '_blank', 'noopener')
    else location.assign(chosen.href)
  })
  input.addEventListener('blur', () => setTimeout(() => !form.contains(document.activeElement) && open(false)))
  if (typed.trim().length >= shortest && document.activeElement === input) void look().catch(() => undefined)
}

function groupsOf(list: Suggestion[], id: string, words: DOMStringMap, query: string): HTMLElement[] {
  const groups = new Map<string, HTMLElement>()
  for (const [index, suggestion] of list.entries()) {
    let group = groups.get(suggestion.group)
    if (!group) {
      const title = element('div', { 'data-title': '', id: `${id}-${suggestion.group}` }, words[suggestion.group])
      group = element('div', { role: 'group', 'data-group': suggestion.group, 'aria-labelledby': title.id })
      group.append(title)
      groups.set(suggestion.group, group)
    }
    group.append(optionOf(suggestion, index, id, query))
  }
  return [...groups.values()]
}

function optionOf({ text, picture, price, offerId = '', hint, group }: Suggestion, index: number, id: string, query: string): HTMLElement {
  const option = element('div', { role: 'option', id: `${id}-${index}`, 'data-index': String(index), 'aria-selected': 'false' })
  if (picture) option.append(element('img', { src: picture, alt: '', width: '48', height: '48' }))
  else option.append(element('span', {}))
  const words = element('span', { 'data-text': '' })
  const at = group === 'queries' ? text.toLowerCase().indexOf(query.toLowerCase()) : -1
  // The typed part is known; the completion is highlighted.
  if (at === 0) words.append(text.slice(0, query.length), element('b', {}, text.slice(query.length)))
  else words.append(text)
  option.append(words)
  if (price) {
    const shown = element('span', { 'data-price': offerId })
    shown.append(element('b', {}, price))
    option.append(shown)
  }
  if (hint) option.append(element('span', { 'data-hint': '' }, hint))
  return option
}

function element(name: string, attributes: Record<string, string>, text?: string): HTMLElement {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  if (text) made.textContent = text
  return made
}
