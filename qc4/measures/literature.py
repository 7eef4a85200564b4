"""The works that measures go back to: how sources cite them, and as BibTeX."""

from __future__ import annotations

from typing import Protocol

from qc4.bibliography import QC4_BENCH, Work, article, bibtex, book, paper

CRABTREE = "Crabtree, Andreae & Gao, QC4, PAKDD 2007"
ZAKI_MEIRA = "Zaki & Meira, Data Mining and Machine Learning, 2nd ed."
XIE = "Xie, Zhou, Wang & Jiang, New criteria for evaluating the validity of clustering, CAAI TIS 12, 2017"
KREMER = "Kremer et al., CMM, KDD 2011"
ZHAO_KARYPIS = "Zhao & Karypis, Criterion functions for document clustering, Machine Learning 55, 2004"
SONG_ZHANG = "Song & Zhang, Comparison of cluster representations, ICDM 2008"
AMIGO = "Amigó et al., A comparison of extrinsic clustering evaluation metrics, Information Retrieval 12, 2009"
VAN_RIJSBERGEN = "van Rijsbergen, Information Retrieval, 2nd ed., 1979, chapter 7"
HUBERT_ARABIE = "Hubert & Arabie, Comparing partitions, Journal of Classification 2, 1985"

_JASA = "Journal of the American Statistical Association"
_JMLR = "Journal of Machine Learning Research"
WORKS = (
    QC4_BENCH,
    paper(
        "crabtree2007", "Crabtree, Daniel and Andreae, Peter and Gao, Xiaoying", "QC4 - A Clustering Evaluation Method",
        "Advances in Knowledge Discovery and Data Mining (PAKDD 2007), LNCS 4426", "", 2007, "Crabtree, Andreae & Gao",
    ),
    book(
        "zaki2020", "Zaki, Mohammed J. and Meira, Jr., Wagner",
        "Data Mining and Machine Learning: Fundamental Concepts and Algorithms", "Cambridge University Press", 2020,
        "Zaki & Meira", "2nd",
    ),
    article(
        "xie2017", "Xie, Juanying and Zhou, Ying and Wang, Mingzhao and Jiang, Weiliang",
        "New criteria for evaluating the validity of clustering", "CAAI Transactions on Intelligent Systems", "12",
        "873--882", 2017, "Xie, Zhou, Wang & Jiang",
    ),
    article(
        "amigo2009", "Amigó, Enrique and Gonzalo, Julio and Artiles, Javier and Verdejo, Felisa",
        "A comparison of extrinsic clustering evaluation metrics based on formal constraints", "Information Retrieval",
        "12", "461--486", 2009, "Amigó et al.",
    ),
    paper(
        "amigo2013", "Amigó, Enrique and Gonzalo, Julio and Verdejo, Felisa",
        "A general evaluation measure for document organization tasks", "Proceedings of SIGIR", "643--652", 2013,
        "Amigó, Gonzalo & Verdejo",
    ),
    paper(
        "artiles2007", "Artiles, Javier and Gonzalo, Julio and Sekine, Satoshi",
        "The SemEval-2007 WePS evaluation: establishing a benchmark for the web people search task",
        "Proceedings of SemEval-2007", "64--69", 2007, "Artiles, Gonzalo & Sekine",
    ),
    article(
        "hubert1985", "Hubert, Lawrence and Arabie, Phipps", "Comparing partitions", "Journal of Classification", "2",
        "193--218", 1985, "Hubert & Arabie",
    ),
    article(
        "baker1975", "Baker, Frank B. and Hubert, Lawrence J.", "Measuring the power of hierarchical cluster analysis",
        _JASA, "70", "31--38", 1975, "Baker & Hubert",
    ),
    paper(
        "banerjee2004", "Banerjee, Arindam and Langford, John", "An objective evaluation criterion for clustering",
        "Proceedings of KDD", "515--520", 2004, "Banerjee & Langford",
    ),
    paper(
        "bernardini2009", "Bernardini, Andrea and Carpineto, Claudio and D'Amico, Massimiliano",
        "Full-subtopic retrieval with keyphrase-based search results clustering", "Proceedings of WI-IAT", "206--213",
        2009, "Bernardini, Carpineto & D'Amico",
    ),
    article(
        "calinski1974", "Caliński, Tadeusz and Harabasz, Jerzy", "A dendrite method for cluster analysis",
        "Communications in Statistics", "3", "1--27", 1974, "Caliński & Harabasz",
    ),
    paper(
        "clarke2008",
        "Clarke, Charles L. A. and Kolla, Maheedhar and Cormack, Gordon V. and Vechtomova, Olga and Ashkan, Azin and "
        "Büttcher, Stefan and MacKinnon, Ian",
        "Novelty and diversity in information retrieval evaluation", "Proceedings of SIGIR", "659--666", 2008,
        "Clarke et al.",
    ),
    article(
        "collins1988", "Collins, Linda M. and Dent, Clyde W.",
        "Omega: a general formulation of the Rand index of cluster recovery suitable for non-disjoint solutions",
        "Multivariate Behavioral Research", "23", "231--242", 1988, "Collins & Dent",
    ),
    paper(
        "crabtree2005", "Crabtree, Daniel and Gao, Xiaoying and Andreae, Peter",
        "Improving web clustering by cluster selection", "Proceedings of WI", "172--178", 2005,
        "Crabtree, Gao & Andreae",
    ),
    article(
        "carpineto2009", "Carpineto, Claudio and Mizzaro, Stefano and Romano, Giovanni and Snidero, Matteo",
        "Mobile information retrieval with search results clustering: prototypes and evaluations",
        "Journal of the American Society for Information Science and Technology", "60", "877--895", 2009,
        "Carpineto, Mizzaro, Romano & Snidero",
    ),
    article(
        "critchlow1996", "Critchlow, Douglas E. and Pearl, Dennis K. and Qian, Chunlin",
        "The triples distance for rooted bifurcating phylogenetic trees", "Systematic Biology", "45", "323--334", 1996,
        "Critchlow, Pearl & Qian",
    ),
    article(
        "davies1979", "Davies, David L. and Bouldin, Donald W.", "A cluster separation measure",
        "IEEE Transactions on Pattern Analysis and Machine Intelligence", "1", "224--227", 1979, "Davies & Bouldin",
    ),
    article(
        "dunn1974", "Dunn, J. C.", "Well-separated clusters and optimal fuzzy partitions", "Journal of Cybernetics",
        "4", "95--104", 1974, "Dunn,",
    ),
    article(
        "fowlkes1983", "Fowlkes, E. B. and Mallows, C. L.", "A method for comparing two hierarchical clusterings",
        _JASA, "78", "553--569", 1983, "Fowlkes & Mallows",
    ),
    article(
        "gagolewski2025", "Gagolewski, Marek",
        "Normalised clustering accuracy: An asymmetric external cluster validity measure", "Journal of Classification",
        "42", "2--30", 2025, "Gagolewski",
    ),
    article(
        "gates2019", "Gates, Alexander J. and Wood, Ian B. and Hetrick, William P. and Ahn, Yong-Yeol",
        "Element-centric clustering comparison unifies overlaps and hierarchy", "Scientific Reports", "9", "8574", 2019,
        "Gates, Wood, Hetrick & Ahn",
    ),
    article(
        "halkidi2008", "Halkidi, Maria and Vazirgiannis, Michalis",
        "A density-based cluster validity approach using multi-representatives", "Pattern Recognition Letters", "29",
        "773--786", 2008, "Halkidi & Vazirgiannis",
    ),
    book(
        "han2006", "Han, Jiawei and Kamber, Micheline", "Data Mining: Concepts and Techniques", "Morgan Kaufmann", 2006,
        "Han & Kamber", "2nd",
    ),
    paper(
        "hashemi2021", "Hashemi, Helia and Zamani, Hamed and Croft, W. Bruce",
        "Learning multiple intent representations for search queries", "Proceedings of CIKM", "669--679", 2021,
        "Hashemi, Zamani & Croft",
    ),
    paper(
        "heller2005", "Heller, Katherine A. and Ghahramani, Zoubin", "Bayesian hierarchical clustering",
        "Proceedings of ICML", "297--304", 2005, "Heller & Ghahramani",
    ),
    article(
        "hubert1976", "Hubert, Lawrence J. and Levin, Joel R.",
        "A general statistical framework for assessing categorical clustering in free recall", "Psychological Bulletin",
        "83", "1072--1080", 1976, "Hubert & Levin",
    ),
    article(
        "jerdee2024", "Jerdee, Maximilian and Kirkley, Alec and Newman, M. E. J.",
        "Mutual information and the encoding of contingency tables", "Physical Review E", "110", "064306", 2024,
        "Jerdee, Kirkley & Newman, Mutual",
    ),
    article(
        "jerdee2025", "Jerdee, Maximilian and Kirkley, Alec and Newman, M. E. J.",
        "Normalized mutual information is a biased measure for classification and community detection",
        "Nature Communications", "16", "", 2025, "Jerdee, Kirkley & Newman, Normalized",
    ),
    article(
        "jiang2004", "Jiang, Daxin and Tang, Chun and Zhang, Aidong",
        "Cluster analysis for gene expression data: a survey",
        "IEEE Transactions on Knowledge and Data Engineering", "16", "1370--1386", 2004, "Jiang, Tang & Zhang",
    ),
    paper(
        "kiritchenko2005", "Kiritchenko, Svetlana and Matwin, Stan and Famili, A. Fazel",
        "Functional annotation of genes using hierarchical text categorization", "Proceedings of the BioLINK SIG", "",
        2005, "Kiritchenko, Matwin & Famili",
    ),
    article(
        "kvalseth1987", "Kvålseth, Tarald O.", "Entropy and correlation: some comments",
        "IEEE Transactions on Systems, Man, and Cybernetics", "17", "517--519", 1987, "Kvålseth",
    ),
    article(
        "lancichinetti2009", "Lancichinetti, Andrea and Fortunato, Santo and Kertész, János",
        "Detecting the overlapping and hierarchical community structure in complex networks", "New Journal of Physics",
        "11", "033015", 2009, "Lancichinetti, Fortunato & Kertész",
    ),
    paper(
        "larsen1999", "Larsen, Bjornar and Aone, Chinatsu",
        "Fast and effective text mining using linear-time document clustering", "Proceedings of KDD", "16--22", 1999,
        "Larsen & Aone",
    ),
    book(
        "manning2008", "Manning, Christopher D. and Raghavan, Prabhakar and Schütze, Hinrich",
        "Introduction to Information Retrieval", "Cambridge University Press", 2008, "Manning, Raghavan & Schütze",
    ),
    Work(
        "mcdaid2011", "misc",
        {
            "author": "McDaid, Aaron F. and Greene, Derek and Hurley, Neil",
            "title": "Normalized mutual information to evaluate overlapping community finding algorithms",
            "note": "arXiv:1110.2515", "year": "2011",
        },
        "McDaid, Greene & Hurley",
    ),
    article(
        "meila2007", "Meilă, Marina", "Comparing clusterings—an information based distance",
        "Journal of Multivariate Analysis", "98", "873--895", 2007, "Meilă",
    ),
    article(
        "milligan1981", "Milligan, Glenn W.",
        "A Monte Carlo study of thirty internal criterion measures for cluster analysis", "Psychometrika", "46",
        "187--199", 1981, "Milligan,",
    ),
    paper(
        "navigli2013", "Navigli, Roberto and Vannella, Daniele",
        "SemEval-2013 Task 11: Word sense induction and disambiguation within an end-user application",
        "Proceedings of SemEval 2013", "193--201", 2013, "Navigli & Vannella",
    ),
    article(
        "newman2020", "Newman, M. E. J. and Cantwell, George T. and Young, Jean-Gabriel",
        "Improved mutual information measure for clustering, classification, and community detection",
        "Physical Review E", "101", "042304", 2020, "Newman, Cantwell & Young",
    ),
    paper(
        "pham2024",
        "Pham, Chau Minh and Hoyle, Alexander and Sun, Simeng and Resnik, Philip and Iyyer, Mohit",
        "TopicGPT: A prompt-based topic modeling framework", "Proceedings of NAACL", "2956--2984", 2024, "Pham et al.",
    ),
    article(
        "perotti2015", "Perotti, Juan Ignacio and Tessone, Claudio Juan and Caldarelli, Guido",
        "Hierarchical mutual information for the comparison of hierarchical community structures in complex networks",
        "Physical Review E", "92", "062825", 2015, "Perotti, Tessone & Caldarelli",
    ),
    article(
        "perotti2020", "Perotti, Juan Ignacio and Almeira, Nahuel and Saracco, Fabio",
        "Towards a generalization of information theory for hierarchical partitions", "Physical Review E", "101",
        "062148", 2020, "Perotti, Almeira & Saracco",
    ),
    article(
        "rand1971", "Rand, William M.", "Objective criteria for the evaluation of clustering methods", _JASA, "66",
        "846--850", 1971, "Rand,",
    ),
    article(
        "rohlf1974", "Rohlf, F. James", "Methods of comparing classifications",
        "Annual Review of Ecology and Systematics", "5", "101--113", 1974, "Rohlf",
    ),
    paper(
        "rosenberg2007", "Rosenberg, Andrew and Hirschberg, Julia",
        "V-Measure: a conditional entropy-based external cluster evaluation measure", "Proceedings of EMNLP-CoNLL",
        "410--420", 2007, "Rosenberg & Hirschberg",
    ),
    paper(
        "kremer2011",
        "Kremer, Hardy and Kranen, Philipp and Jansen, Timm and Seidl, Thomas and Bifet, Albert and Holmes, Geoff and "
        "Pfahringer, Bernhard",
        "An effective evaluation measure for clustering on evolving data streams", "Proceedings of KDD", "868--876",
        2011, "Kremer et al.",
    ),
    paper(
        "song2008", "Song, Mingzhou (Joe) and Zhang, Lin",
        "Comparison of cluster representations from partial second- to full fourth-order cross moments for data stream "
        "clustering", "Proceedings of ICDM", "560--569", 2008, "Song & Zhang",
    ),
    article(
        "zhao2004", "Zhao, Ying and Karypis, George",
        "Empirical and theoretical comparisons of selected criterion functions for document clustering",
        "Machine Learning", "55", "311--331", 2004, "Zhao & Karypis",
    ),
    book(
        "rijsbergen1979", "van Rijsbergen, C. J.", "Information Retrieval", "Butterworths", 1979, "van Rijsbergen",
        "2nd",
    ),
    article(
        "rousseeuw1987", "Rousseeuw, Peter J.",
        "Silhouettes: a graphical aid to the interpretation and validation of cluster analysis",
        "Journal of Computational and Applied Mathematics", "20", "53--65", 1987, "Rousseeuw",
    ),
    paper(
        "sakai2011", "Sakai, Tetsuya and Song, Ruihua",
        "Evaluating diversified search results using per-intent graded relevance", "Proceedings of SIGIR", "1043--1052",
        2011, "Sakai & Song",
    ),
    article(
        "strehl2002", "Strehl, Alexander and Ghosh, Joydeep",
        "Cluster ensembles—a knowledge reuse framework for combining multiple partitions", _JMLR, "3", "583--617", 2002,
        "Strehl & Ghosh",
    ),
    article(
        "vinh2010", "Vinh, Nguyen Xuan and Epps, Julien and Bailey, James",
        "Information theoretic measures for clusterings comparison: variants, properties, normalization and correction "
        "for chance", _JMLR, "11", "2837--2854", 2010, "Vinh, Epps & Bailey",
    ),
    paper(
        "wang2016", "Wang, Xiaojie and Dou, Zhicheng and Sakai, Tetsuya and Wen, Ji-Rong",
        "Evaluating search result diversity using intent hierarchies", "Proceedings of SIGIR", "415--424", 2016,
        "Wang, Dou, Sakai & Wen",
    ),
    paper(
        "zhai2003", "Zhai, ChengXiang and Cohen, William W. and Lafferty, John",
        "Beyond independent relevance: methods and evaluation metrics for subtopic retrieval", "Proceedings of SIGIR",
        "10--17", 2003, "Zhai, Cohen & Lafferty",
    ),
    Work(
        "vandongen2000", "techreport",
        {
            "author": "van Dongen, Stijn",
            "title": "Performance criteria for graph clustering and Markov cluster experiments",
            "institution": "CWI", "number": "INS-R0012", "year": "2000",
        },
        "van Dongen",
    ),
)  # fmt: skip
"""Works by how sources begin to cite them."""


class Sourced(Protocol):
    """What says where it comes from: a measure."""

    @property
    def key(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def source(self) -> str: ...


def works_of(measure: Sourced) -> tuple[Work, ...]:
    """The works that a measure's source names, in its order; the source itself as a note where none is known."""
    found = []
    for part in measure.source.split("; "):
        named = [(place, work) for work in WORKS if (place := part.find(work.cited)) >= 0]
        if named:
            found += [work for _, work in sorted(named, key=lambda each: each[0])]
        else:
            found.append(Work(f"source-{measure.key}", "misc", {"title": measure.title, "note": part}))
    return tuple(dict.fromkeys(found))


def measure_bibtex(measure: Sourced) -> str:
    """The works a measure goes back to as BibTeX."""
    return bibtex(works_of(measure))
