import { createElement, type ComponentType } from 'react'
import { flushSync } from 'react-dom'
import { hydrateRoot } from 'react-dom/client'
import type { PageState } from './client.ts'
import { createTranslate } from './i18n.ts'
import { SurroundingsContext } from './island.tsx'

/** Hydrates one island as a root of its own, with the words and facts the server rendered it with. */
export function hydrateIsland(element: HTMLElement, component: unknown, state: PageState): void {
  const props = JSON.parse(element.dataset.props ?? '{}')
  const surroundings = { t: createTranslate(state.locale, state.messages), site: state.site }
  // At once, so that what was clicked before can be played again right after.
  flushSync(() => {
    hydrateRoot(
      element,
      <SurroundingsContext value={surroundings}>{createElement(component as ComponentType, props)}</SurroundingsContext>,
      {
        identifierPrefix: element.dataset.prefix,
      },
    )
  })
}
