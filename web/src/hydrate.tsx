import type { ComponentType } from 'react'
import { flushSync } from 'react-dom'
import { hydrateRoot } from 'react-dom/client'
import { createPageWords } from './words.ts'

/** Hydrates an island as a root of its own, synchronously, so that queued actions can be replayed right after. */
export function hydrate(element: HTMLElement, component: unknown): void {
  const Component = component as ComponentType<object>
  const { props, words } = JSON.parse(element.dataset['props'] ?? '{}')
  const locale = document.documentElement.lang
  const fromServer = [...element.childNodes].map((node) => node.cloneNode(true))
  let isLive = true
  flushSync(() =>
    hydrateRoot(element, <Component {...props} t={createPageWords(locale, words)} locale={locale} />, {
      identifierPrefix: element.dataset['prefix'] ?? '',
      onUncaughtError(error) {
        isLive = false
        reportError(error)
        // React has removed the failed content; the server's markup works without it.
        queueMicrotask(() => element.replaceChildren(...fromServer))
      },
    }),
  )
  if (!isLive) return
  // All are read before the first is dispatched: React then writes its own values into the others.
  const typed = [...element.querySelectorAll<Field>('input, textarea, select')].map(typedIn)
  for (const tell of typed) if (tell) flushSync(tell)
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** How to notify React of input made before hydration, or restored by the browser. */
function typedIn(field: Field): (() => void) | undefined {
  if (field instanceof HTMLSelectElement) {
    const { selectedIndex } = field
    const before = [...field.options].findIndex((option) => option.defaultSelected)
    if (selectedIndex === Math.max(0, before)) return undefined
    return () => {
      field.selectedIndex = selectedIndex
      field.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
  if (field.type === 'checkbox' || field.type === 'radio') {
    const { checked, defaultChecked } = field as HTMLInputElement
    if (checked === defaultChecked || (field.type === 'radio' && defaultChecked)) return undefined
    return () => {
      Object.assign(field, { checked: defaultChecked })
      field.click()
    }
  }
  const { value, defaultValue } = field
  if (value === defaultValue || field.type === 'file') return undefined
  return () => {
    field.value = defaultValue
    // Bypasses React's own property on this field, which would otherwise see no change.
    Reflect.set(Object.getPrototypeOf(field), 'value', value, field)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
