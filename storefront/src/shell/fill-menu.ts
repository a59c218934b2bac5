import { formatMessage } from '@purlin/words/translate.ts'
import { MenuCampaignsDocument, MenuTreeDocument, type HeaderItemFragment } from '../generated/documents.ts'
import { ask } from '../session/graphql-client.ts'
import { requestFlow } from '../session/request-flow.ts'

const isWide = matchMedia('(min-width: 64rem)')
const shownWide = 6
interface Branch {
  id: number
  url: string
  children: readonly { name: string; url: string }[]
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
        if (link.parentElement) announce(link.parentElement, id)
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

function listOf(links: Branch['children']): HTMLUListElement {
  const list = document.createElement('ul')
  for (const { name, url } of links) {
    const anchor = document.createElement('a')
    anchor.href = url
    anchor.textContent = name
    const item = document.createElement('li')
    item.append(anchor)
    list.append(item)
  }
  return list
}

/**
 * What operators announce below a department, requested when a visitor turns to it. The entry shows the state of the
 * request; a failure costs nothing but the announcement.
 */
function announce(entry: HTMLElement, familyId: number): void {
  const flow = requestFlow(async (categoryId: number) => (await ask(MenuCampaignsDocument, { categoryId, familyId })).menuCampaigns)
  flow.follow(({ step }) => (entry.dataset['campaigns'] = step))
  const turned = async () => {
    for (const type of turns) entry.removeEventListener(type, request, true)
    for (const item of (await flow.run(familyId)) ?? []) if (item.audience === 'everybody') entry.append(campaignOf(item))
  }
  const request = () => void turned()
  for (const type of turns) entry.addEventListener(type, request, true)
}
const turns = ['pointerenter', 'focusin', 'toggle']

function campaignOf({ title, detail, url }: HeaderItemFragment): HTMLElement {
  const line = document.createElement('p')
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.textContent = title
  line.append(anchor, ` ${detail}`)
  return line
}
