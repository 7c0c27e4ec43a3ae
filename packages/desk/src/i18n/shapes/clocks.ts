export interface ClockTexts {
  readonly title: string
  readonly none: string
  readonly noneNote: string
  readonly live: string
  readonly give: string
  readonly now: string
  readonly statuses: { readonly ready: string; readonly advancing: string }
  readonly nextDue: string
  readonly nothingDue: string
  readonly since: string
  readonly advance: string
  readonly by: { readonly hour: string; readonly day: string; readonly week: string; readonly month: string }
  readonly toNext: string
  readonly toMoment: string
  readonly moment: string
  readonly watching: string
  readonly stop: string
  readonly stopped: (reason: string) => string
  readonly onTheWay: string
  readonly lately: string
  readonly nothingHappened: string
  readonly more: string
  readonly refused: string
  readonly remove: string
  readonly removeNote: string
}
