"""Function words of ten languages, and detection of the languages in which pages are written.

The lists are short and specific to this project. scikit-learn has a list for English only. A function word of one
language can be a content word in another ("die", "van", "war"), so a list is used only if pages are written in its
language. The lists themselves serve to detect the language. `feature_selection` and `cluster_labels` also exclude words
that are frequent in all pages.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import scipy.sparse as sp

from annotations.words.tfidf import PageWords, tokenize
from qc4.arrays import FloatArray

MIN_LANGUAGE_SHARE = 0.1
"""Minimum share of the pages in a language for its list to be used."""

_LISTS = {
    "de": """
        ab aber alle allem allen aller alles als also am an andere anderen anderer auch auf aus bei beim bereits bin
        bis bist da dabei dadurch dafür damit danach dann das dass dazu dein dem den denn der des dessen deren die
        dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines einige er es etwa
        etwas euch euer für gegen gibt hab habe haben hat hatte hatten hier hin ich ihm ihn ihnen ihr ihre ihrem
        ihren ihrer ihres im in ins ist ja jede jedem jeden jeder jedes kann kein keine keinen können könnte machen
        man mehr mein meine mich mir mit muss müssen nach nicht nichts noch nun nur ob oder ohne sehr seid sein
        seine seinem seinen seiner seit sich sie sind so sollen sollte soll sondern sowie um und uns unser unsere
        unter vom von vor war waren was weil wenn wer werden wie wieder will wir wird wo wurde wurden zu zum zur
        zwischen über""",
    "en": """
        about above across after again against all almost along already also although always am among an and another
        any anyone anything are around as at away back be became because become been before behind being below
        between both but by came can cannot come could did do does doing done down during each either else enough
        etc even ever every everyone everything few first for from further get gets getting give given go goes going
        got had has have having he her here hers herself him himself his how however if in instead into is isn it
        its itself just keep let like made make makes making many may me might more most much must my myself near
        neither never no nobody none nor not nothing now of off often on once one only onto or other others our ours
        out over own per perhaps put quite rather said same say says see seem seen several shall she should since so
        some someone something still such take than that the their theirs them themselves then there these they
        thing things this those though three through throughout to together too toward towards two under until up
        upon us use used uses using very via was way we well went were what whatever when where whether which while
        who whole whom whose why will with within without would yet you your yours yourself""",
    "es": """
        al algo algunas algunos ante antes así aún bajo bien cada casi como con contra cual cuando de del desde
        donde dos durante ella ellas ellos en entre era eran es esa ese eso esta estaba estado estas este esto estos
        está están fue fueron ha hace hacia han hasta hay la las le les lo los mas me mi mientras mucho muy más ni
        no nos nosotros o os otra otras otro otros para pero poco por porque pues que quien qué se sea según ser si
        sido sin sobre solo son su sus sólo también tan tanto te tiene tienen toda todas todo todos tras tu un una
        unas uno unos usted ya""",
    "fr": """
        afin ai ainsi alors après au aucun aussi autre autres aux avait avant avec avoir avons bien car ce cela
        celle ces cet cette ceux chaque chez comme comment contre dans de depuis des deux dont du elle elles en
        encore entre est et eu eux fait faire fois font il ils je jusqu la le les leur leurs lors lui là ma mais me
        mes moins mon même ne ni nos notre nous on ont ou où par parce pas pendant peu peut plus pour pourquoi quand
        que quel quelle quelles quels qui sa sans se sera ses si son sont sous sur ta te tes toi ton tous tout toute
        toutes très tu un une vers voir vos votre vous à ça était été être""",
    "it": """
        agli ai al alla alle allo anche ancora avere aveva che chi ci come con contro cui da dagli dai dal dalla
        dalle dei del della delle dello di dopo dove due era erano essere fra gli ha hanno ho il in io la le lei lo
        loro lui ma mi mia mio molto ne nei nel nella nelle nello no noi non nostra nostro o ogni per perché più poi
        prima qua quale quando quanto quello questa queste questi questo qui se sei senza si sia sono sopra sotto
        stata stato su sua sue sugli sui sul sulla sulle suo suoi tra tu tutta tutte tutti tutto un una uno vi voi è""",
    "nl": """
        aan al alle alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een en er ge
        geen geweest haar had heb hebben heeft hem het hier hij hoe hun iets ik in is ja je kan kon kunnen maar me
        meer men met mij mijn moet na naar niet niets nog nu of om omdat onder ons ook op over reeds te tegen toch
        toen tot u uit uw van veel voor want waren was wat we wel werd wezen wie wij wil worden wordt zal ze zei
        zelf zich zij zijn zo zonder zou""",
    "pl": """
        aby ale ani bardzo bez był była było były być co czy dla do gdy gdzie go ich ile im ja jak jako je jednak
        jego jej jest jeszcze już ją która które którego której który których którzy ma mnie może można na nad nie
        nim niż od oraz po pod pod przed przez przy się są ta tak także tam te tego tej ten to tu tych tylko tym we
        więc wszystko za ze że żeby""",
    "pt": """
        ao aos apenas as assim até cada com como da das de dela dele deles depois do dos duas e ela elas ele eles em
        entre era eram essa esse esta este estes estas está estão eu foi foram há isso isto já la lhe mais mas me
        mesmo meu minha muito muitos na nas nem no nos nossa nosso não num numa o onde os ou outra outras outro
        outros para pela pelas pelo pelos por porque qual quando que quem se sem ser seu seus sobre sua suas são só
        também tem ter todo todos tudo têm um uma umas uns você à às é""",
    "ru": """
        без был была были было быть вам вас во вот все всего всех вы где да даже для до его ее если есть еще ещё же
        за здесь из или им их как какой когда ко который которая которые ли между меня мне может можно мы на над
        надо нам нас не него нее нет ни них но ну об один он она они оно от по под после при про раз сам свои свою
        себя со так также там те тем то того тоже той только том ты уже хотя чего чем через что чтобы эта эти это
        этого этой этом этот""",
    "sv": """
        alla allt andra att av blev bli blir bara de dem den denna deras dess det detta dig din dina dit du där
        efter ej eller en er ett från för genom ha hade han hans har hela hennes hon honom hos hur här i icke in
        ingen inom inte jag kan kunde man med mellan men mer mig min mina mot mycket ni nu när någon något några och
        också om oss på samma sedan sig sin sina sitta själv skulle som så sådan till under upp ut utan vad var vara
        varför varit vi vid vilka vilken vår våra över än är åt""",
    "tr": """
        ama ancak aslında bana bazı belki ben beni benim bir biraz biri birkaç birçok biz bize bizim bu buna bunda
        bundan bunlar bunu bunun burada böyle bütün çok çünkü da daha de defa diye diğer dolayı en fakat gibi göre
        hala hangi hatta hem hep hepsi her hiç için ile ilgili ise işte kadar karşı kendi ki kim mi mu mü mı nasıl
        ne neden nerede o olan olarak oldu olduğu olmak olması olur onlar onu onun orada oysa sadece sanki sen siz
        sonra tarafından tüm var ve veya ya yani yapılan yaptığı yine yok zaten çeşitli üzere şey şu şöyle""",
}  # fmt: skip
_PAGES = """
    amp article blog click com contact copyright de download edu email faq free home homepage htm html http
    https index info information link links login main menu more nbsp net news official online org page pages
    php pdf quot read reserved rights search shop site sites view visit web webpage website websites welcome www"""
LANGUAGES = {name: frozenset(words.casefold().split()) for name, words in _LISTS.items()}
WEB_WORDS = frozenset(_PAGES.split())
"""Words that are typical of web pages in any language, and remains of markup."""


def stop_words(words: PageWords) -> frozenset[str]:
    """Return the function words of the pages' languages, and words typical of web pages."""
    return WEB_WORDS.union(*(LANGUAGES[name] for name in languages(words)))


def function_words(texts: Iterable[str]) -> frozenset[str]:
    """Return the function words of the languages in which texts are written, as `languages` finds them."""
    found = [set(tokenize(text)) for text in texts]
    hits = np.array([[len(words & own) for own in LANGUAGES.values()] for words in found], dtype=float)
    return frozenset().union(
        *(LANGUAGES[name] for name in _languages_of_pages(hits.reshape(len(found), len(LANGUAGES))))
    )


def languages(words: PageWords) -> tuple[str, ...]:
    """Return the languages in which pages are written, out of those with lists.

    The language of a page is the one with the most words on the page. A language is returned if it has at least a tenth
    of the pages with a language. For a few quotations, a list would do more harm than good.
    """
    names = list(LANGUAGES)
    there = sp.csr_array((np.ones(words.weights.nnz), words.weights.indices, words.weights.indptr), words.weights.shape)
    known = np.array([[word in LANGUAGES[name] for name in names] for word in words.words], dtype=float)
    return _languages_of_pages(there @ known.reshape(len(words.words), len(names)))


def _languages_of_pages(hits: FloatArray) -> tuple[str, ...]:
    """Return the languages of pages, given the number of each language's words on each page: (pages, languages)."""
    most = hits.max(axis=1, initial=0)
    telling = (most > 0) & ((hits == most[:, None]).sum(axis=1) == 1)
    if not telling.any():
        return ()
    pages = np.bincount(hits[telling].argmax(axis=1), minlength=len(LANGUAGES))
    return tuple(
        name for name, count in zip(LANGUAGES, pages, strict=True) if count >= MIN_LANGUAGE_SHARE * telling.sum()
    )


def is_distinctive(word: str, stops: frozenset[str]) -> bool:
    """Return whether a case-folded word may end a name: it is not a function word, a number or a single letter."""
    return word not in stops and not word.isdigit() and (len(word) > 1 or not word.isascii())
