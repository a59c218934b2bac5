import { formatMessage } from '@purlin/words/translate.ts'
import { MenuTreeDocument } from '../generated/documents.ts'
import { ask } from '../session/graphql-client.ts'
import { announceCampaigns } from './menu-campaigns.ts'

const isWide = matchMedia('(min-width: 64rem)')
const shownWide = 6
interface Branch {
  id: number
  url: string
  children: readonly { id: number; name: string; url: string }[]
}
let tree: Promise<readonly Branch[]> | undefined

/** Puts the categories below their departments: side by side where there is room, folded on a phone. Links work without. */
export function fillMenu(menu: HTMLDetailsElement): void {
  tree ??= ask(MenuTreeDocument, {}).then(({ categoryTree }) => categoryTree)
  tree.then(
    (branches) => {
      for (const { id, url, children } of branches) {
        const link = menu.querySelector<HTMLAnchorElement>(`nav > ul > li > a[href="${CSS.escape(url)}"]`)
        if (!link || children.length === 0 || link.nextElementSibling) continue
        if (link.parentElement) announceCampaigns(link.parentElement, id)
        if (isWide.matches) link.after(listOf(children.slice(0, shownWide)))
        else link.replaceWith(foldOf(menu, link, children))
      }
    },
    // The departments themselves are links: the rest is requested again when the menu opens again.
    () => (tree = undefined),
  )
}

function foldOf(menu: HTMLElement, link: HTMLAnchorElement, children: Branch['children']): HTMLDetailsElement {
  const name = link.textContent
  const words = JSON.parse(menu.querySelector<HTMLElement>('[data-all]')!.dataset['all']!)
  const fold = document.createElement('details')
  const summary = document.createElement('summary')
  summary.textContent = name
  const all = { name: formatMessage(document.documentElement.lang, words, { name }), url: link.getAttribute('href')! }
  fold.append(summary, listOf([all, ...children]))
  return fold
}

function listOf(links: readonly { id?: number; name: string; url: string }[]): HTMLUListElement {
  const list = document.createElement('ul')
  for (const { id, name, url } of links) {
    const anchor = document.createElement('a')
    anchor.href = url
    anchor.textContent = name
    const item = document.createElement('li')
    if (id) item.dataset['category'] = String(id)
    item.append(anchor)
    list.append(item)
  }
  return list
}
