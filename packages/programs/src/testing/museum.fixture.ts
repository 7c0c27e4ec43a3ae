/** A museum's site of plain pages and a component of Vue, with a guide that asks a model. */
import type { Texts } from "./measures.ts"

export const museum: Texts = {
  "index.html": `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Musée des Horloges</title>
<meta name="description" content="Trois siècles d'horloges et de montres.">
<meta property="og:title" content="Musée des Horloges">
<link rel="canonical" href="https://horloges.example/">
<link rel="stylesheet" href="css/site.css">
<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Museum", "name": "Musée des Horloges"}</script>
</head>
<body>
<h1>Horloges</h1>
<h3>Collections</h3>
<a href="visit.html">Préparer sa visite</a>
<a href="tours.html">Visites guidées</a>
<img src="clock.jpg" alt="Horloge comtoise">
</body>
</html>
`,
  "visit.html": `<html lang="fr">
<head>
<title>Musée des Horloges</title>
<meta name="robots" content="noindex">
</head>
<body>
<h1>Visite</h1>
<form action="/tickets" method="post"><label for="day">Jour</label><input id="day" type="date"><input name="guests"></form>
<iframe src="map.html"></iframe>
</body>
</html>
`,
  "src/TicketDesk.vue": `<script setup>
defineProps<{ day: string; price?: number }>()
</script>
<template>
  <div class="desk" @click="sell"><GuideVoice :day="day" /></div>
</template>
<style>
.desk { background: $brass; border-radius: 2px }
</style>
`,
  "src/GuideVoice.vue": `<script setup>
defineProps<{ day: string }>()
</script>
<template><p class="voice">{{ day }}</p></template>
`,
  "css/site.scss": `$brass: #b5a642;
$ink: #222222;
.desk { color: $ink }
.voice { color: #b5a642; background-color: white; font-size: 14px }
.voice-small { font-size: 14px; color: #b5a642 }
`,
  "guide/voice.py": `from anthropic import Anthropic

GUIDE_INSTRUCTIONS = """Tu es guide dans un musée des horloges.
Parle de {clock} en deux phrases, pour {visitor}."""


def speak(clock, visitor):
    return Anthropic().messages.create(model="claude-sonnet-4-5", stream=True, max_tokens=120, system=GUIDE_INSTRUCTIONS, messages=[])
`
}
